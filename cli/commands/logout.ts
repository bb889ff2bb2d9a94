/**
 * `courant logout`: ends the session and revokes the token of `courant login` at the server, and
 * removes all stored credentials of this machine.
 */
import type { CliContext } from '../context.ts';
import {
  clearCredentials,
  getCredentialsPath,
  readCredentials,
  updateCredentials,
} from '../credentials/credentials-file.ts';
import type { Credentials, OriginCredentials } from '../credentials/stored-credentials.ts';
import { Failure } from '../failure.ts';
import { parseEndpoint } from '../server/endpoint.ts';
import { GraphqlRejection } from '../server/graphql.ts';
import { createGraphqlRunner } from '../server/session.ts';
import { LOGOUT, REVOKE_TOKEN } from './login-session.ts';

export interface LogoutOptions {
  /** Limits the command to the credentials of this server. */
  endpoint?: string;
}

export async function logout(options: LogoutOptions, context: CliContext): Promise<void> {
  const { config, terminal } = context;
  const path = terminal.outPaint.plain(getCredentialsPath(config));
  const origin = options.endpoint === undefined ? undefined : parseEndpoint(options.endpoint, '--endpoint').origin;
  // A damaged file is treated as empty, so that it is removed too.
  const stored: Credentials = await readCredentials(config).catch((error: unknown) => {
    if (error instanceof Failure) return { origins: {} };
    throw error;
  });
  const selected = Object.entries(stored.origins).filter(([key]) => origin === undefined || key === origin);
  for (const [key, credentials] of selected) await revoke(key, credentials, context);
  if (origin === undefined) {
    const isRemoved = await clearCredentials(config);
    terminal.out(isRemoved ? `Removed the stored credentials (${path}).` : `No credentials were stored (${path}).`);
    if (stored.developerToken !== undefined) terminal.note(TOKEN_STAYS_VALID);
  } else if (selected.length === 0) terminal.out(`No credentials were stored for ${origin}.`);
  else {
    await updateCredentials(config, (latest) => {
      delete latest.origins[origin];
      if (latest.endpoint !== undefined && new URL(latest.endpoint).origin === origin) delete latest.endpoint;
    });
    terminal.out(`Removed the credentials stored for ${origin}.`);
  }
  if (config.serviceToken !== undefined) terminal.note('SERVICE_TOKEN is still set in this environment.');
}

const TOKEN_STAYS_VALID = 'A developer token stays valid until you revoke it on the settings page.';

/** The caller removes the credentials from this machine even if this fails. */
async function revoke(origin: string, credentials: OriginCredentials, context: CliContext): Promise<void> {
  const { note, warn, notePaint } = context.terminal;
  const { session, developerToken, developerTokenId } = credentials;
  if (developerToken !== undefined && developerTokenId === undefined) note(TOKEN_STAYS_VALID);
  if (session === undefined) return;
  try {
    const runGraphql = createGraphqlRunner(parseEndpoint(session.endpoint, 'stored'), session, context);
    if (developerTokenId !== undefined) await runGraphql(REVOKE_TOKEN, { id: developerTokenId }).catch(ignoreRefusal);
    await runGraphql(LOGOUT);
    const token = developerTokenId === undefined ? '' : ' and revoked its token';
    note(`Ended the session at ${notePaint.plain(origin)}${token}.`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    warn(`The session at ${origin} is still open: ${error.message} End it on the settings page.`);
  }
}

/** The token may have been revoked on the settings page. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof GraphqlRejection) || error.code === 'UNAUTHENTICATED') throw error;
}
