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
import { type Credentials, dropOrigin, type OriginCredentials } from '../credentials/stored-credentials.ts';
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
  const { config, terminal, signal } = context;
  const path = terminal.outPaint.plain(getCredentialsPath(config));
  const origin = options.endpoint === undefined ? undefined : parseEndpoint(options.endpoint, '--endpoint').origin;
  const stored = await readCredentialsOrEmpty(context);
  const selected = Object.entries(stored.origins ?? {}).filter(([key]) => origin === undefined || key === origin);
  for (const [key, credentials] of selected) await revoke(key, credentials, context);
  if (origin !== undefined) {
    if (selected.length > 0) await updateCredentials(config, signal, (now) => dropOrigin(now, origin));
    terminal.out(
      selected.length > 0
        ? `Removed the credentials stored for ${origin}.`
        : `No credentials were stored for ${origin}.`,
    );
  } else if (await clearCredentials(config)) {
    terminal.out(`Removed the stored credentials (${path}).`);
  } else {
    terminal.out(`No credentials were stored (${path}).`);
  }
  if (stored.developerToken !== undefined && origin === undefined) terminal.note(TOKEN_STAYS_VALID);
  if (config.serviceToken !== undefined) terminal.note('SERVICE_TOKEN is still set in this environment.');
}

const TOKEN_STAYS_VALID = 'A developer token stays valid until you revoke it on the settings page.';

/** The caller removes the credentials from this machine even if this fails. */
async function revoke(origin: string, credentials: OriginCredentials, context: CliContext): Promise<void> {
  const { terminal } = context;
  const { session, developerToken, developerTokenId } = credentials;
  if (developerToken !== undefined && developerTokenId === undefined) terminal.note(TOKEN_STAYS_VALID);
  if (session === undefined) return;
  try {
    const runGraphql = createGraphqlRunner(parseEndpoint(session.endpoint, 'stored'), session, context);
    if (developerTokenId !== undefined) await runGraphql(REVOKE_TOKEN, { id: developerTokenId }).catch(ignoreRefusal);
    await runGraphql(LOGOUT);
    terminal.note(
      `Ended the session at ${terminal.notePaint.plain(origin)}${developerTokenId === undefined ? '' : ' and revoked its token'}.`,
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    terminal.note(
      `${terminal.notePaint.yellow('warning:')} ${terminal.notePaint.plain(`The session at ${origin} is still open: ${error.message} End it on the settings page.`)}`,
    );
  }
}

/** The token may have been revoked on the settings page. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof GraphqlRejection) || error.code === 'UNAUTHENTICATED') throw error;
}

/** Treats a damaged file as empty, so that it is removed too. */
async function readCredentialsOrEmpty({ config }: CliContext): Promise<Credentials> {
  try {
    return await readCredentials(config);
  } catch (error) {
    if (error instanceof Failure) return {};
    throw error;
  }
}
