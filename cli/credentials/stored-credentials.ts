/** The stored credentials by server. A credential is sent only to its own origin. */
import { DEFAULT_ENDPOINT } from '../server/endpoint.ts';

export interface Credentials {
  /** The default server of commands; set by `login --endpoint`. */
  endpoint?: string;
  /** Not bound to a server yet. It is bound to the first server that accepts it. */
  developerToken?: string;
  /** By origin, such as `https://courant.example`. */
  origins: Record<string, OriginCredentials>;
}

export interface OriginCredentials {
  developerToken?: string | undefined;
  /** Set if `courant login` created the token, so that `courant logout` can revoke it. */
  developerTokenId?: string | undefined;
  session?: StoredSession | undefined;
}

export interface SessionTokens {
  accessToken: string;
  /** Can be exchanged once. */
  refreshToken: string;
}

export interface StoredSession extends SessionTokens {
  email: string;
  /** The GraphQL endpoint that issued the tokens, which are not valid anywhere else. */
  endpoint: string;
}

/** Returns the token of this origin, or else the one that is not bound to a server. */
export function findStoredToken(stored: Credentials, origin: string): string | undefined {
  return stored.origins[origin]?.developerToken ?? stored.developerToken;
}

/** Changes fields of one origin; undefined removes a field. */
export function putCredentials(stored: Credentials, origin: string, changes: OriginCredentials): void {
  stored.origins[origin] = { ...stored.origins[origin], ...changes };
}

/** Binds the token without a server to this origin, unless the origin has one. */
export function bindToken(stored: Credentials, origin: string): void {
  const { developerToken } = stored;
  if (developerToken === undefined) return;
  delete stored.developerToken;
  putCredentials(stored, origin, { developerToken: stored.origins[origin]?.developerToken ?? developerToken });
}

/** Changes the default server. A token without a server is bound to the previous default. */
export function changeEndpoint(stored: Credentials, endpoint: string): void {
  bindToken(stored, new URL(stored.endpoint ?? DEFAULT_ENDPOINT).origin);
  stored.endpoint = endpoint;
}
