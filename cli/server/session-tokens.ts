/** Opens and refreshes a session over GraphQL. */
import type { SessionTokens } from '../credentials/stored-credentials.ts';
import { createFailure } from '../failure.ts';
import { GraphqlRejection, type GraphqlServer, postGraphql } from './graphql.ts';
import { isRecord, parseObject, readText } from './json.ts';

/** Throws a failure with the server's message. */
export async function logInWithPassword(
  server: GraphqlServer,
  variables: { email: string; password: string },
): Promise<SessionTokens> {
  const data = await postGraphql({ ...server, query: LOGIN, variables }).catch((error: unknown) => {
    if (!(error instanceof GraphqlRejection)) throw error;
    const hint = `Try again. If you forgot your password, reset it: ${server.endpoint.origin}/account/forgot-password`;
    const hints = error.code === 'UNAUTHENTICATED' ? [hint] : [];
    throw createFailure(`Not logged in: ${error.message}`, { hints, cause: error });
  });
  return readTokens(data.login, server);
}

/**
 * Exchanges the refresh token, which can be done once. Repeating the exchange within a minute, as
 * concurrent commands do too, returns the same token. Later, the server treats the token as stolen
 * and ends the session, so the last attempt starts well before that.
 */
export async function refreshSession(server: GraphqlServer, refreshToken: string): Promise<SessionTokens> {
  const limits = { isRepeatable: true, timeoutMs: 10_000, lastTryMs: 40_000 };
  const data = await postGraphql({ ...server, ...limits, query: REFRESH, variables: { refreshToken } });
  return readTokens(data.refreshSession, server);
}

/** Returns the expiry of a JWT, or null without one. Only the server can verify the token. */
export function readExpiry(jwt: string): Date | null {
  const claims = parseObject(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'));
  return typeof claims?.exp === 'number' ? new Date(claims.exp * 1_000) : null;
}

const LOGIN = `mutation Login($email: String!, $password: String!) {
  login(email: $email, password: $password) { accessToken refreshToken }
}`;
const REFRESH = `mutation Refresh($refreshToken: String!) {
  refreshSession(refreshToken: $refreshToken) { accessToken refreshToken }
}`;

function readTokens(value: unknown, { endpoint }: GraphqlServer): SessionTokens {
  const [accessToken, refreshToken] = isRecord(value) ? [value.accessToken, value.refreshToken].map(readText) : [];
  if (accessToken !== undefined && refreshToken !== undefined) return { accessToken, refreshToken };
  throw createFailure(`${endpoint.graphqlUrl} returned no tokens.`, {
    hints: ['Is the endpoint the GraphQL address of a Courant server? See --endpoint.'],
  });
}
