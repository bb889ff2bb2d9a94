/** `courant whoami`: shows what is stored, which token a publish would use, and where it would go. Offline. */
import type { CliContext } from '../context.ts';
import { getCredentialsPath, isReadableByOthers, readCredentials } from '../credentials/credentials-file.ts';
import { type Credentials, findStoredToken, type StoredSession } from '../credentials/stored-credentials.ts';
import { chooseToken, maskToken } from '../credentials/token.ts';
import { createFailure } from '../failure.ts';
import { resolveEndpoint } from '../server/endpoint.ts';
import { readExpiry } from '../server/log-in.ts';

export async function whoami({ config, terminal }: CliContext): Promise<void> {
  const stored = await readCredentials(config);
  const endpoint = resolveEndpoint(undefined, config, stored.endpoint);
  const token = findStoredToken(stored, endpoint.origin);
  const session = stored.origins?.[endpoint.origin]?.session;
  const chosen = await chooseToken(undefined, config, async () => token);
  const paint = terminal.outPaint;
  const row = (name: string, value: string) => terminal.out(`${paint.dim(name.padEnd(16))}${paint.plain(value)}`);

  row('Stored token', token === undefined ? 'none' : maskToken(token));
  row('Session', session === undefined ? 'none' : describeSession(session, new Date()));
  row('Publishes with', chosen === null ? 'nothing' : `${maskToken(chosen.token)} (${chosen.source})`);
  row('Endpoint', `${endpoint.graphqlUrl} (${endpoint.source})`);
  for (const [origin, what] of describeOthers(stored, endpoint.origin)) row('Also stored', `${what} for ${origin}`);
  row('File', getCredentialsPath(config));
  if (await isReadableByOthers(config)) {
    terminal.note(`${terminal.notePaint.yellow('warning:')} others may read the file; set its mode to 0600.`);
  }
  if (chosen === null && session === undefined) {
    throw createFailure('Not logged in.', {
      hints: ['Run "courant login --token <token>"; make a token on the settings page of the service.'],
    });
  }
}

function describeOthers({ origins = {} }: Credentials, current: string): [origin: string, what: string][] {
  return Object.entries(origins)
    .filter(([origin]) => origin !== current)
    .map(([origin, { developerToken, session }]) => {
      const token = developerToken === undefined ? [] : [maskToken(developerToken)];
      const person = session === undefined ? [] : [`a session of ${session.email}`];
      return [origin, [...token, ...person].join(' and ')];
    });
}

function describeSession(session: StoredSession, now: Date): string {
  const expiry = readExpiry(session.accessToken);
  const place = `${session.email} at ${session.endpoint}`;
  if (expiry === null) return place;
  return `${place}, ${expiry <= now ? 'expired' : 'valid until'} ${expiry.toISOString()}`;
}
