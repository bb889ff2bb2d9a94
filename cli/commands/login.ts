/** `courant login`: stores a developer token, or the session of an e-mail address and password. */
import type { CliContext } from '../context.ts';
import { readCredentials, updateCredentials } from '../credentials/credentials-file.ts';
import { changeEndpoint, putCredentials } from '../credentials/stored-credentials.ts';
import { checkToken, maskToken } from '../credentials/token.ts';
import { createInputFailure } from '../failure.ts';
import { parseEndpoint, resolveEndpoint } from '../server/endpoint.ts';
import { isInteractive, promptSecret, promptText } from '../terminal/prompt.ts';
import { openAccount } from './login-session.ts';

export interface LoginOptions {
  /** `true` or `-` reads it from a prompt or stdin: shell history and `ps` do not show it. */
  token?: string | true;
  endpoint?: string;
  email?: string;
  passwordStdin?: true;
}

export async function login(options: LoginOptions, context: CliContext): Promise<void> {
  if (options.token === undefined) await logInAsPerson(options, context);
  else await storeToken(options.token, options, context);
}

async function storeToken(value: string | true, options: LoginOptions, context: CliContext): Promise<void> {
  const { config, terminal } = context;
  const endpointOption = options.endpoint === undefined ? undefined : parseEndpoint(options.endpoint, '--endpoint');
  const isFromInput = value === true || value === '-';
  const developerToken = checkToken(isFromInput ? await readToken(context) : value, '--token');
  let target: string | null = null;
  const path = await updateCredentials(config, (stored) => {
    if (endpointOption !== undefined) changeEndpoint(stored, endpointOption.graphqlUrl);
    const { source, origin } = resolveEndpoint(options.endpoint, config, stored.endpoint);
    // Without any configured server, the token binds to the first server that accepts it. If the
    // default server has a token, this one replaces it.
    target = source === 'default' && stored.origins[origin]?.developerToken === undefined ? null : origin;
    if (target === null) stored.developerToken = developerToken;
    // `courant logout` does not revoke a token that a person entered.
    else putCredentials(stored, target, { developerToken, developerTokenId: undefined });
  });
  const { plain } = terminal.outPaint;
  const server = target === null ? '' : ` for ${plain(target)}`;
  terminal.out(`Stored the developer token ${maskToken(developerToken)}${server} in ${plain(path)}.`);
  if (target === null) {
    terminal.warn(
      'This token is not bound to a server. The next publish sends it to whichever server that publish addresses. To bind it, run login again with --endpoint and the address of your server.',
    );
  }
  terminal.note('Its format is valid. The first publish shows whether the server accepts it.');
}

async function logInAsPerson(options: LoginOptions, context: CliContext): Promise<void> {
  const { config, terminal, streams } = context;
  const needsTerminal = options.email === undefined || !options.passwordStdin;
  if (needsTerminal && !isInteractive(streams)) {
    throw createInputFailure('There is no terminal to enter e-mail and password.', {
      hints: [
        'To publish from a script, set SERVICE_TOKEN, or store a token: courant login --token - < token.txt',
        'Publishing needs no session. To open one: courant login --email <address> --password-stdin < password.txt',
      ],
    });
  }
  const stored = await readCredentials(config);
  const endpoint = resolveEndpoint(options.endpoint, config, stored.endpoint);
  terminal.note(`Log in at ${terminal.notePaint.bold(endpoint.origin)}`);
  const email = (options.email ?? (await promptText('E-mail', context))).trim();
  if (email === '') throw createInputFailure('No e-mail address was entered.');
  const password = options.passwordStdin
    ? (await readInput(context)).replace(/\r?\n$/, '')
    : await promptSecret('Password', context);
  if (password === '') throw createInputFailure('No password was entered.');
  const account = await openAccount(endpoint, { email, password }, stored.origins[endpoint.origin] ?? {}, context);
  const path = await updateCredentials(config, (latest) => {
    if (options.endpoint !== undefined) changeEndpoint(latest, endpoint.graphqlUrl);
    putCredentials(latest, endpoint.origin, account.credentials);
  }).catch(async (error: unknown) => {
    await account.rollback();
    throw error;
  });
  const { bold, plain } = terminal.outPaint;
  terminal.out(`Logged in as ${bold(email)}. The session is stored in ${plain(path)}.`);
  for (const note of account.notes) terminal.note(terminal.notePaint.plain(note));
}

function readToken(context: CliContext): Promise<string> {
  return isInteractive(context.streams) ? promptSecret('Token', context) : readInput(context);
}

/** Tokens and passwords are shorter. A wrong file on stdin must not fill the memory. */
const MAX_INPUT_CHARACTERS = 4_096;

async function readInput({ streams }: CliContext): Promise<string> {
  let text = '';
  for await (const chunk of streams.stdin) {
    text += String(chunk);
    if (text.length > MAX_INPUT_CHARACTERS) throw createInputFailure('The input from stdin is too long.');
  }
  return text;
}
