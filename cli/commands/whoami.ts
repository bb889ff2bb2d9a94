/**
 * `courant whoami`: prints the account, the stored credentials, and the token and server of a
 * publish. Offline it prints only stored data.
 */
import type { CliContext } from '../context.ts';
import { getCredentialsPath, isReadableByOthers, readCredentials } from '../credentials/credentials-file.ts';
import {
  type Credentials,
  findStoredSession,
  findStoredToken,
  type StoredSession,
} from '../credentials/stored-credentials.ts';
import { type ChosenToken, chooseToken, maskToken } from '../credentials/token.ts';
import { EXIT, Failure, ReportedFailure } from '../failure.ts';
import { type Endpoint, resolveEndpoint } from '../server/endpoint.ts';
import { isRecord, readText } from '../server/json.ts';
import { createGraphqlRunner } from '../server/session.ts';
import { readExpiry } from '../server/session-tokens.ts';
import { formatJsonLine } from '../terminal/output.ts';

export interface WhoamiOptions {
  endpoint?: string;
  offline?: true;
  json?: true;
}

interface Status {
  endpoint: Endpoint;
  token: string | undefined;
  session: StoredSession | undefined;
  chosen: ChosenToken | null;
  account: Account;
}

/** The server's current `username` and `name`, or the reason why they are unknown. */
type Account = { username: string; name: string } | { unknown: string };

export async function whoami(options: WhoamiOptions, context: CliContext): Promise<void> {
  const { config, terminal } = context;
  const stored = await readCredentials(config);
  const endpoint = resolveEndpoint(options.endpoint, config, stored.endpoint);
  const token = findStoredToken(stored, endpoint.origin);
  const session = findStoredSession(stored, endpoint.origin);
  const chosen = await chooseToken(undefined, config, async () => token);
  const account = await findAccount(endpoint, session, options, context);
  const refreshed = findStoredSession(await readCredentials(config), endpoint.origin);
  const status = { endpoint, token, session: refreshed, chosen, account };
  if (options.json) terminal.out(formatJsonLine(toJson(status, context)));
  else show(status, stored, context);
  if (await isReadableByOthers(config)) {
    terminal.note(`${terminal.notePaint.yellow('warning:')} other users can read the file. Set its mode to 0600.`);
  }
  if (chosen === null && refreshed === undefined) {
    throw new ReportedFailure(EXIT.failed, 'Not logged in.', {
      hints: [
        'Run "courant login", or "courant login --token" with a token from the settings page of the service.',
        ...('unknown' in account && session !== undefined ? [account.unknown] : []),
      ],
    });
  }
}

const ME_QUERY = 'query { me { username name } }';

async function findAccount(
  endpoint: Endpoint,
  session: StoredSession | undefined,
  { offline }: WhoamiOptions,
  context: CliContext,
): Promise<Account> {
  if (session === undefined) return { unknown: 'the server requires a session' };
  if (offline) return { unknown: 'offline' };
  try {
    const { me } = await createGraphqlRunner(endpoint, session, context)(ME_QUERY);
    const [username, name] = isRecord(me) ? [me.username, me.name].map(readText) : [];
    return username === undefined ? { unknown: 'the server did not return it' } : { username, name: name ?? username };
  } catch (error) {
    if (error instanceof Failure) return { unknown: [error.message, ...error.hints].join(' ') };
    throw error;
  }
}

function show({ endpoint, token, session, chosen, account }: Status, stored: Credentials, context: CliContext): void {
  const { config, terminal } = context;
  const paint = terminal.outPaint;
  const row = (name: string, value: string) => terminal.out(`${paint.dim(name.padEnd(16))}${paint.plain(value)}`);
  if (session !== undefined) row('Account', describeAccount(account));
  row('Stored token', token === undefined ? 'none' : maskToken(token));
  row('Session', session === undefined ? 'none' : describeSession(session, new Date()));
  row('Publishes with', chosen === null ? 'nothing' : `${maskToken(chosen.token)} (${chosen.source})`);
  row('Endpoint', `${endpoint.graphqlUrl} (${endpoint.source})`);
  for (const [origin, description] of listOtherCredentials(stored, endpoint.origin))
    row('Also stored', `${description} for ${origin}`);
  row('File', getCredentialsPath(config));
}

function toJson({ endpoint, session, chosen, account }: Status, { config }: CliContext): Record<string, unknown> {
  const expiry = session === undefined ? null : readExpiry(session.accessToken);
  return {
    endpoint: endpoint.graphqlUrl,
    account: 'unknown' in account ? null : account,
    session: session === undefined ? null : { email: session.email, accessUntil: expiry?.toISOString() ?? null },
    publishesWith: chosen === null ? null : { token: maskToken(chosen.token), source: chosen.source },
    file: getCredentialsPath(config),
  };
}

function describeAccount(account: Account): string {
  return 'unknown' in account ? `unknown: ${account.unknown}` : `${account.username} (${account.name})`;
}

function listOtherCredentials({ origins = {} }: Credentials, current: string): [origin: string, what: string][] {
  return Object.entries(origins)
    .filter(([origin, stored]) => origin !== current && (stored.developerToken ?? stored.session) !== undefined)
    .map(([origin, { developerToken, session }]) => {
      const token = developerToken === undefined ? [] : [maskToken(developerToken)];
      const person = session === undefined ? [] : [`a session of ${session.email}`];
      return [origin, [...token, ...person].join(' and ')];
    });
}

function describeSession(session: StoredSession, now: Date): string {
  const expiry = readExpiry(session.accessToken);
  const owner = `${session.email} at ${session.endpoint}`;
  if (expiry === null) return owner;
  const renews = session.refreshToken === undefined ? '' : ', renewed as it is used';
  return `${owner}, ${expiry <= now ? 'expired' : 'valid until'} ${expiry.toISOString()}${renews}`;
}
