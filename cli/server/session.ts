/** Runs GraphQL requests with the stored session of a server, and refreshes it when due. */
import type { CliContext } from '../context.ts';
import { readCredentials, writeCredentials } from '../credentials/credentials-file.ts';
import { withLock } from '../credentials/lock.ts';
import {
  dropSession,
  findStoredSession,
  putCredentials,
  type StoredSession,
} from '../credentials/stored-credentials.ts';
import { createFailure, type Failure } from '../failure.ts';
import { type Endpoint, resolveEndpoint } from './endpoint.ts';
import { GraphqlRejection, postGraphql } from './graphql.ts';
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
  const session = findStoredSession(stored, endpoint.origin);
  if (session === undefined) {
    throw createFailure(`You are not logged in at ${endpoint.origin}.`, {
      hints: [
        `${purpose} needs a login; a developer token is not enough. Run: courant login --endpoint ${endpoint.graphqlUrl}`,
      ],
    });
  }
  return createGraphqlRunner(endpoint, session, context);
}

export function createGraphqlRunner(endpoint: Endpoint, stored: StoredSession, context: CliContext): RunGraphql {
  let session = stored;
  const post = (query: string, variables: Record<string, unknown>) =>
    postGraphql({
      ...describeServer(endpoint, context),
      accessToken: session.accessToken,
      query,
      variables,
      isRepeatable: query.startsWith('query'),
    });
  return async (query, variables = {}) => {
    if (isExpiring(session, new Date())) session = await refreshStored(endpoint, session, context);
    try {
      return await post(query, variables);
    } catch (error) {
      if (!isEnded(error)) throw error;
      // The local clock may be slow, or the server has new keys. A rejected request was not
      // executed.
      session = await refreshStored(endpoint, session, context);
      return await post(query, variables);
    }
  };
}

/** Tokens are refreshed this long before they expire, so that none expires in transit. */
const REFRESH_MARGIN_MS = 30_000;

function isExpiring({ accessToken }: StoredSession, now: Date): boolean {
  const expiry = readExpiry(accessToken);
  return expiry !== null && expiry.getTime() - now.getTime() < REFRESH_MARGIN_MS;
}

/** Refreshes the session, unless another command has refreshed it meanwhile. Returns it. */
async function refreshStored(endpoint: Endpoint, previous: StoredSession, context: CliContext): Promise<StoredSession> {
  const { config, signal } = context;
  return withLock(config, signal, async () => {
    const stored = await readCredentials(config);
    const session = findStoredSession(stored, endpoint.origin);
    if (session === undefined) throw createEndedFailure('"courant logout" ran in the meantime.');
    if (session.accessToken !== previous.accessToken && !isExpiring(session, new Date())) return session;
    if (session.refreshToken === undefined) throw createEndedFailure('An older version of courant stored it.');
    // A test write: on a full or read-only disk it throws while the old refresh token is still
    // valid.
    await writeCredentials(config, stored);
    try {
      const tokens = await refreshSession(describeServer(endpoint, context), session.refreshToken);
      const refreshed = { ...session, ...tokens };
      await writeCredentials(config, putCredentials(stored, endpoint.origin, { session: refreshed }));
      return refreshed;
    } catch (error) {
      if (!isEnded(error)) throw error;
      await writeCredentials(config, dropSession(stored, endpoint.origin));
      throw createEndedFailure(error.message);
    }
  });
}

function describeServer(endpoint: Endpoint, { config, signal, terminal }: CliContext) {
  const onWait = (sentence: string) => terminal.note(terminal.notePaint.dim(sentence));
  return { endpoint, allowHttp: config.allowHttp, signal, onWait };
}

function isEnded(error: unknown): error is GraphqlRejection {
  return error instanceof GraphqlRejection && error.code === 'UNAUTHENTICATED';
}

function createEndedFailure(reason: string): Failure {
  return createFailure('The session has ended.', { hints: [reason, 'Log in again: courant login'] });
}
