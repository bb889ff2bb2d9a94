/** Opens and refreshes a session over GraphQL. */
import { createFailure } from '../failure.ts';
import type { Endpoint } from './endpoint.ts';
import { GraphqlRejection, type GraphqlRequest, postGraphql } from './graphql.ts';
import { isRecord, parseObject, readText } from './json.ts';

export interface SessionTokens {
  accessToken: string;
  refreshToken?: string;
}

type Server = Pick<GraphqlRequest, 'endpoint' | 'allowHttp' | 'signal' | 'onWait'>;

/** Throws a failure with the server's message. */
export async function logInWithPassword(
  server: Server,
  { email, password }: { email: string; password: string },
): Promise<SessionTokens> {
  const variables = { email, password };
  const data = await postGraphql({ ...server, query: LOGIN, variables, isRepeatable: false }).catch(
    (error: unknown) => {
      if (!(error instanceof GraphqlRejection)) throw error;
      const hint = `Try again. If you forgot your password, reset it: ${server.endpoint.origin}/account/forgot-password`;
      const hints = error.code === 'UNAUTHENTICATED' ? [hint] : [];
      throw createFailure(`Not logged in: ${error.message}`, { hints, cause: error });
    },
  );
  return readTokens(data.login, server.endpoint);
}

/**
 * Exchanges the refresh token, which can be done once. Repeating the exchange within a minute
 * returns the same tokens. Later, the server treats the token as stolen and ends the session, so
 * the last attempt starts well before that.
 */
export async function refreshSession(server: Server, refreshToken: string): Promise<SessionTokens> {
  const variables = { refreshToken };
  const data = await postGraphql({ ...server, ...REFRESH_LIMITS, query: REFRESH, variables, isRepeatable: true });
  return readTokens(data.refreshSession, server.endpoint);
}

const REFRESH_LIMITS = { timeoutMs: 10_000, lastTryMs: 40_000 };

/** Returns the expiry of a JWT, or null without one. Only the server can verify the token. */
export function readExpiry(jwt: string): Date | null {
  const claims = parseObject(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const seconds = claims?.exp;
  if (typeof seconds !== 'number') return null;
  const expiry = new Date(seconds * 1_000);
  return Number.isNaN(expiry.getTime()) ? null : expiry;
}

const LOGIN = `mutation Login($email: String!, $password: String!) {
  login(email: $email, password: $password) { accessToken refreshToken }
}`;
const REFRESH = `mutation Refresh($refreshToken: String!) {
  refreshSession(refreshToken: $refreshToken) { accessToken refreshToken }
}`;

function readTokens(value: unknown, endpoint: Endpoint): SessionTokens {
  const [accessToken, refreshToken] = isRecord(value) ? [value.accessToken, value.refreshToken].map(readText) : [];
  if (accessToken !== undefined) return { accessToken, ...(refreshToken === undefined ? {} : { refreshToken }) };
  throw createFailure(`${endpoint.graphqlUrl} returned no access token.`, {
    hints: ['Is the endpoint the GraphQL address of a Courant server? See --endpoint.'],
  });
}
