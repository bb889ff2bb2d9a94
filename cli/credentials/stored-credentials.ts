/** The stored credentials by server. A credential is sent only to its own origin. */
import { DEFAULT_ENDPOINT } from '../server/endpoint.ts';
import { isRecord } from '../server/json.ts';

export interface Credentials {
  /** The default server of commands; set by `login --endpoint`. */
  endpoint?: string;
  /** Not bound to a server yet. It is bound to the first server that accepts it. */
  developerToken?: string;
  /** By origin, such as `https://courant.example`. */
  origins?: Record<string, OriginCredentials>;
}

export interface OriginCredentials {
  developerToken?: string;
  /** Set if `courant login` created the token, so that `courant logout` can revoke it. */
  developerTokenId?: string;
  session?: StoredSession;
}

export interface StoredSession {
  accessToken: string;
  /** Can be exchanged once. Absent in files of 1.0: such a session ends with its access token. */
  refreshToken?: string;
  email: string;
  /** The GraphQL endpoint that issued the tokens, which are not valid anywhere else. */
  endpoint: string;
}

/** Returns the token of this origin, or else the one that is not bound to a server. */
export function findStoredToken(stored: Credentials, origin: string): string | undefined {
  return stored.origins?.[origin]?.developerToken ?? stored.developerToken;
}

export function findStoredSession(stored: Credentials, origin: string): StoredSession | undefined {
  return stored.origins?.[origin]?.session;
}

/** Returns the origins for which a token is stored. */
export function listTokenOrigins(stored: Credentials): string[] {
  return Object.entries(stored.origins ?? {}).flatMap(([origin, { developerToken }]) =>
    developerToken === undefined ? [] : [origin],
  );
}

export function putCredentials(stored: Credentials, origin: string, changes: OriginCredentials): Credentials {
  const { origins } = stored;
  return { ...stored, origins: { ...origins, [origin]: { ...origins?.[origin], ...changes } } };
}

/** Replaces any other token; `courant logout` does not revoke a token that a person entered. */
export function putToken(stored: Credentials, origin: string, developerToken: string): Credentials {
  const { developerTokenId: _, ...entry } = stored.origins?.[origin] ?? {};
  return { ...stored, origins: { ...stored.origins, [origin]: { ...entry, developerToken } } };
}

/** Removes the session of this origin; its token stays. */
export function dropSession(stored: Credentials, origin: string): Credentials {
  const { session: _, ...entry } = stored.origins?.[origin] ?? {};
  return { ...stored, origins: { ...stored.origins, [origin]: entry } };
}

/** Removes everything of this origin. */
export function dropOrigin({ endpoint, ...stored }: Credentials, origin: string): Credentials {
  const { [origin]: _, ...origins } = stored.origins ?? {};
  const isCurrent = endpoint !== undefined && new URL(endpoint).origin === origin;
  return { ...stored, ...(endpoint === undefined || isCurrent ? {} : { endpoint }), origins };
}

/** Binds the token without a server to this origin. */
export function bindToken({ developerToken, ...stored }: Credentials, origin: string): Credentials {
  if (developerToken === undefined) return stored;
  const entry = stored.origins?.[origin]?.developerToken;
  return putCredentials(stored, origin, { developerToken: entry ?? developerToken });
}

/** Changes the default server. A token without a server is bound to the previous default. */
export function changeEndpoint(stored: Credentials, endpoint: string): Credentials {
  return { ...bindToken(stored, new URL(stored.endpoint ?? DEFAULT_ENDPOINT).origin), endpoint };
}

/**
 * Parses the file, ignoring unknown values. Version 1.0 had one token and session at the top level.
 */
export function toCredentials(value: Record<string, unknown>): Credentials {
  const endpoint = typeof value.endpoint === 'string' && URL.canParse(value.endpoint) ? value.endpoint : undefined;
  let stored: Credentials = endpoint === undefined ? {} : { endpoint };
  if (isRecord(value.origins)) {
    for (const [origin, entry] of Object.entries(value.origins)) {
      if (isOrigin(origin) && isRecord(entry)) stored = putCredentials(stored, origin, toOriginCredentials(entry));
    }
  }
  if (typeof value.developerToken === 'string') {
    stored = { ...stored, developerToken: value.developerToken };
    if (endpoint !== undefined) stored = bindToken(stored, new URL(endpoint).origin);
  }
  const session = toSession(value.session);
  if (session !== undefined) stored = putCredentials(stored, new URL(session.endpoint).origin, { session });
  return stored;
}

function toOriginCredentials(entry: Record<string, unknown>): OriginCredentials {
  const { developerToken, developerTokenId } = entry;
  const session = toSession(entry.session);
  return {
    ...(typeof developerToken === 'string' ? { developerToken } : {}),
    ...(typeof developerTokenId === 'string' ? { developerTokenId } : {}),
    ...(session === undefined ? {} : { session }),
  };
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function toSession(value: unknown): StoredSession | undefined {
  if (!isRecord(value)) return undefined;
  const { accessToken, refreshToken, email, endpoint } = value;
  if (typeof accessToken !== 'string' || typeof email !== 'string' || typeof endpoint !== 'string') return undefined;
  if (!URL.canParse(endpoint)) return undefined;
  return { accessToken, email, endpoint, ...(typeof refreshToken === 'string' ? { refreshToken } : {}) };
}
