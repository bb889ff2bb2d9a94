/** Runs GraphQL requests with the stored session of a server, and refreshes it when due. */
import type { CliContext } from '../context.ts';
import { readCredentials, updateCredentials, writeCredentials } from '../credentials/credentials-file.ts';
import { putCredentials, type StoredSession } from '../credentials/stored-credentials.ts';
import { createFailure, type Failure } from '../failure.ts';
import { type Endpoint, resolveEndpoint } from './endpoint.ts';
import { GraphqlRejection, type GraphqlServer, postGraphql } from './graphql.ts';
import { readExpiry, refreshSession } from './session-tokens.ts';

/** Returns the data of the response. Queries are retried after a failure, mutations are not. */
export type RunGraphql = (query: string, variables?: Record<string, unknown>) => Promise<Record<string, unknown>>;

/**
 * Throws if there is no session for the server of the flag, the environment or the last login.
 * `purpose` starts a hint, as in "An import".
 */
export async function openSession(flag: string | undefined, purpose: string, context: CliContext): Promise<RunGraphql> {
  const stored = await readCredentials(context.config);
  const endpoint = resolveEndpoint(flag, context.config, stored.endpoint);
  const session = stored.origins[endpoint.origin]?.session;
  if (session !== undefined) return createGraphqlRunner(endpoint, session, context);
  throw createFailure(`You are not logged in at ${endpoint.origin}.`, {
    hints: [
      `${purpose} needs a login; a developer token is not enough. Run: courant login --endpoint ${endpoint.graphqlUrl}`,
    ],
  });
}

export function createGraphqlRunner(endpoint: Endpoint, stored: StoredSession, context: CliContext): RunGraphql {
  const server = describeServer(endpoint, context);
  let session = stored;
  return async (query, variables = {}) => {
    const post = () => postGraphql({ ...server, accessToken: session.accessToken, query, variables });
    const refresh = async () => {
      session = await refreshStored(server, session, context);
    };
    if (isExpiring(session)) await refresh();
    try {
      return await post();
    } catch (error) {
      if (!isEnded(error)) throw error;
      // The local clock may be slow, or the server has new keys. A rejected request was not
      // executed.
      await refresh();
      return await post();
    }
  };
}

export function describeServer(endpoint: Endpoint, { config, signal, terminal }: CliContext): GraphqlServer {
  const onWait = (sentence: string) => terminal.note(terminal.notePaint.dim(sentence));
  return { endpoint, allowHttp: config.allowHttp, signal, onWait };
}

/** Tokens are refreshed this long before they expire, so that none expires in transit. */
const REFRESH_MARGIN_MS = 30_000;

function isExpiring({ accessToken }: StoredSession): boolean {
  const expiry = readExpiry(accessToken);
  return expiry !== null && expiry.getTime() - Date.now() < REFRESH_MARGIN_MS;
}

/** Refreshes the session, unless another command has refreshed it meanwhile. Returns it. */
async function refreshStored(
  server: GraphqlServer,
  previous: StoredSession,
  { config }: CliContext,
): Promise<StoredSession> {
  const { origin } = server.endpoint;
  const stored = await readCredentials(config);
  const session = stored.origins[origin]?.session;
  if (session === undefined) throw createEndedFailure('"courant logout" ran in the meantime.');
  if (session.accessToken !== previous.accessToken && !isExpiring(session)) return session;
  // A test write: on a full or read-only disk it throws while the old refresh token is still valid.
  await writeCredentials(config, stored);
  try {
    const refreshed = { ...session, ...(await refreshSession(server, session.refreshToken)) };
    await updateCredentials(config, (latest) => putCredentials(latest, origin, { session: refreshed }));
    return refreshed;
  } catch (error) {
    if (!isEnded(error)) throw error;
    await updateCredentials(config, (latest) => putCredentials(latest, origin, { session: undefined }));
    throw createEndedFailure(error.message);
  }
}

function isEnded(error: unknown): error is GraphqlRejection {
  return error instanceof GraphqlRejection && error.code === 'UNAUTHENTICATED';
}

function createEndedFailure(reason: string): Failure {
  return createFailure('The session has ended.', { hints: [reason, 'Log in again: courant login'] });
}
