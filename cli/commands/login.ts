/** `courant login`: stores a developer token, or the session of a person who enters e-mail and password. */
import type { CliContext } from '../context.ts';
import { getCredentialsPath, readCredentials, writeCredentials } from '../credentials/credentials-file.ts';
import { changeEndpoint, findStoredToken, putCredentials } from '../credentials/stored-credentials.ts';
import { checkToken, maskToken } from '../credentials/token.ts';
import { createInputFailure } from '../failure.ts';
import { parseEndpoint, resolveEndpoint } from '../server/endpoint.ts';
import { logInWithPassword } from '../server/log-in.ts';
import { ask, askSecretly, isInteractive } from '../terminal/prompt.ts';

export interface LoginOptions {
  /** `-` reads it from stdin, which keeps it out of the shell history and the process list. */
  token?: string;
  endpoint?: string;
}

export async function login(options: LoginOptions, context: CliContext): Promise<void> {
  if (options.token === undefined) await logInAsPerson(options, context);
  else await storeToken(options.token, options, context);
}

async function storeToken(given: string, options: LoginOptions, context: CliContext): Promise<void> {
  const { config, terminal } = context;
  const named = options.endpoint === undefined ? undefined : parseEndpoint(options.endpoint, '--endpoint');
  const developerToken = checkToken(given === '-' ? await readTokenFromStdin(context) : given, '--token');
  const before = await readCredentials(config);
  const stored = named === undefined ? before : changeEndpoint(before, named.graphqlUrl);
  const endpoint = resolveEndpoint(options.endpoint, config, stored.endpoint);
  // With no server named anywhere it belongs to the first one that accepts it; where the local one has done so before, it is that one's.
  const isUnbound = endpoint.source === 'default' && stored.origins?.[endpoint.origin]?.developerToken === undefined;
  const path = await writeCredentials(
    config,
    isUnbound ? { ...stored, developerToken } : putCredentials(stored, endpoint.origin, { developerToken }),
  );
  const where = isUnbound ? '' : ` for ${terminal.outPaint.plain(endpoint.origin)}`;
  terminal.out(`Stored the developer token ${maskToken(developerToken)}${where} in ${terminal.outPaint.plain(path)}.`);
  terminal.note('Its form is right; the first publish shows whether the server accepts it.');
}

async function logInAsPerson(options: LoginOptions, context: CliContext): Promise<void> {
  const { config, terminal, streams, signal } = context;
  if (!isInteractive(streams)) {
    throw createInputFailure('There is no terminal to ask for e-mail and password on.', {
      hints: [
        'To publish from a script, set SERVICE_TOKEN, or store a token: courant login --token - < token.txt',
        'A session, which only "courant login" on a terminal gives, is not needed for publishing.',
      ],
    });
  }
  const stored = await readCredentials(config);
  const endpoint = resolveEndpoint(options.endpoint, config, stored.endpoint);
  terminal.note(`Log in at ${terminal.notePaint.bold(endpoint.origin)}`);
  const email = (await ask('E-mail: ', streams)).trim();
  if (email === '') throw createInputFailure('No e-mail address was entered.');
  const password = await askSecretly('Password: ', streams);
  const { allowHttp } = config;
  const accessToken = await logInWithPassword({ endpoint, email, password, allowHttp, signal });
  const session = { accessToken, email, endpoint: endpoint.graphqlUrl };
  const kept = options.endpoint === undefined ? stored : changeEndpoint(stored, endpoint.graphqlUrl);
  await writeCredentials(config, putCredentials(kept, endpoint.origin, { session }));
  const path = terminal.outPaint.plain(getCredentialsPath(config));
  terminal.out(`Logged in as ${terminal.outPaint.bold(email)}. The session is stored in ${path}.`);
  if (findStoredToken(kept, endpoint.origin) === undefined) {
    terminal.note('To publish, store a developer token too: courant login --token <token>');
  }
}

/** No token is longer. A wrong file redirected to stdin must not fill the memory. */
const MAX_TOKEN_INPUT = 4_096;

async function readTokenFromStdin({ streams }: CliContext): Promise<string> {
  if (isInteractive(streams)) return askSecretly('Token: ', streams);
  let text = '';
  for await (const chunk of streams.stdin) {
    text += String(chunk);
    if (text.length > MAX_TOKEN_INPUT) throw createInputFailure('What came from stdin is too long to be a token.');
  }
  return text;
}
