/**
 * `courant whoami`: prints the account, the stored credentials, and the token and server of a
 * publish. Offline it prints only stored data.
 */
import type { CliContext } from '../context.ts';
import { getCredentialsPath, isReadableByOthers, readCredentials } from '../credentials/credentials-file.ts';
import { type Credentials, findStoredToken, type StoredSession } from '../credentials/stored-credentials.ts';
import { chooseToken, maskToken } from '../credentials/token.ts';
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

/** The server's current `username` and `name`, or the reason why they are unknown. */
type Account = { username: string; name: string } | { unknown: string };

export async function whoami(options: WhoamiOptions, context: CliContext): Promise<void> {
  const { config, terminal } = context;
  const stored = await readCredentials(config);
  const endpoint = resolveEndpoint(options.endpoint, config, stored.endpoint);
  const { origin, graphqlUrl } = endpoint;
  const token = findStoredToken(stored, origin);
  const chosen = await chooseToken(undefined, config, async () => token);
  const previous = stored.origins[origin]?.session;
  const account = await findAccount(endpoint, previous, options, context);
  // The request may have refreshed or ended it.
  const session = (await readCredentials(config)).origins[origin]?.session;
  const file = getCredentialsPath(config);
  if (options.json) {
    const publishesWith = chosen && { token: maskToken(chosen.token), source: chosen.source };
    const accessUntil = (session && readExpiry(session.accessToken))?.toISOString() ?? null;
    terminal.out(
      formatJsonLine({
        ...{ endpoint: graphqlUrl, account: 'unknown' in account ? null : account },
        ...{ session: session ? { email: session.email, accessUntil } : null, publishesWith, file },
      }),
    );
  } else {
    const { dim, plain } = terminal.outPaint;
    const row = (name: string, value: string) => terminal.out(`${dim(name.padEnd(16))}${plain(value)}`);
    if (session) row('Account', describeAccount(account));
    row('Stored token', token === undefined ? 'none' : maskToken(token));
    row('Session', session ? describeSession(session) : 'none');
    row('Publishes with', chosen === null ? 'nothing' : `${maskToken(chosen.token)} (${chosen.source})`);
    row('Endpoint', `${graphqlUrl} (${endpoint.source})`);
    for (const other of listOtherCredentials(stored, origin)) row('Also stored', other);
    row('File', file);
  }
  if (await isReadableByOthers(config)) terminal.warn('other users can read the file. Set its mode to 0600.');
  if (chosen !== null || session !== undefined) return;
  throw new ReportedFailure(EXIT.failed, 'Not logged in.', {
    hints: [
      'Run "courant login", or "courant login --token" with a token from the settings page of the service.',
      ...('unknown' in account && previous !== undefined ? [account.unknown] : []),
    ],
  });
}

function describeAccount(account: Account): string {
  return 'unknown' in account ? `unknown: ${account.unknown}` : `${account.username} (${account.name})`;
}

async function findAccount(
  endpoint: Endpoint,
  session: StoredSession | undefined,
  { offline }: WhoamiOptions,
  context: CliContext,
): Promise<Account> {
  if (session === undefined) return { unknown: 'the server requires a session' };
  if (offline) return { unknown: 'offline' };
  try {
    const { me } = await createGraphqlRunner(endpoint, session, context)('query { me { username name } }');
    const [username, name] = isRecord(me) ? [me.username, me.name].map(readText) : [];
    return username === undefined ? { unknown: 'the server did not return it' } : { username, name: name ?? username };
  } catch (error) {
    if (error instanceof Failure) return { unknown: [error.message, ...error.details.hints].join(' ') };
    throw error;
  }
}

function describeSession({ email, endpoint, accessToken }: StoredSession): string {
  const expiry = readExpiry(accessToken);
  const validity = expiry && `${expiry <= new Date() ? 'expired' : 'valid until'} ${expiry.toISOString()}`;
  return `${email} at ${endpoint}${validity === null ? '' : `, ${validity}`}, renewed as it is used`;
}

function listOtherCredentials({ origins }: Credentials, current: string): string[] {
  return Object.entries(origins).flatMap(([origin, { developerToken, session }]) => {
    const token = developerToken === undefined ? [] : [maskToken(developerToken)];
    const person = session === undefined ? [] : [`a session of ${session.email}`];
    const parts = [...token, ...person];
    return origin === current || parts.length === 0 ? [] : [`${parts.join(' and ')} for ${origin}`];
  });
}
