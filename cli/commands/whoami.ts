/** `courant whoami`: shows what is stored, which token a publish would use, and where it would go. Offline. */
import type { CliContext } from '../context.ts';
import {
  getCredentialsPath,
  isReadableByOthers,
  readCredentials,
  type StoredSession,
} from '../credentials/credentials-file.ts';
import { chooseToken, maskToken } from '../credentials/token.ts';
import { createFailure } from '../failure.ts';
import { resolveEndpoint } from '../server/endpoint.ts';
import { readExpiry } from '../server/log-in.ts';

export async function whoami({ config, terminal }: CliContext): Promise<void> {
  const stored = await readCredentials(config);
  const endpoint = resolveEndpoint(undefined, config, stored.endpoint);
  const chosen = await chooseToken(undefined, config, async () => stored.developerToken);
  const paint = terminal.outPaint;
  const row = (name: string, value: string) => terminal.out(`${paint.dim(name.padEnd(16))}${paint.plain(value)}`);

  row('Stored token', stored.developerToken === undefined ? 'none' : maskToken(stored.developerToken));
  row('Session', stored.session === undefined ? 'none' : describeSession(stored.session, new Date()));
  row('Publishes with', chosen === null ? 'nothing' : `${maskToken(chosen.token)} (${chosen.source})`);
  row('Endpoint', `${endpoint.graphqlUrl} (${endpoint.source})`);
  row('File', getCredentialsPath(config));
  if (await isReadableByOthers(config)) {
    terminal.note(`${terminal.notePaint.yellow('warning:')} others may read the file; set its mode to 0600.`);
  }
  if (chosen === null && stored.session === undefined) {
    throw createFailure('Not logged in.', {
      hints: ['Run "courant login --token <token>"; make a token on the settings page of the service.'],
    });
  }
}

function describeSession(session: StoredSession, now: Date): string {
  const expiry = readExpiry(session.accessToken);
  const place = `${session.email} at ${session.endpoint}`;
  if (expiry === null) return place;
  return `${place}, ${expiry <= now ? 'expired' : 'valid until'} ${expiry.toISOString()}`;
}
