/** What is stored, by the server that it is for: a credential is never sent to another origin than its own. */
import { DEFAULT_ENDPOINT } from '../server/endpoint.ts';
import { isRecord } from '../server/json.ts';

export interface Credentials {
  /** The server that commands talk to where they are not told otherwise; set by `login --endpoint`. */
  endpoint?: string;
  /** Stored where no server was named. It belongs to the first one that accepts it. */
  developerToken?: string;
  /** By origin, such as `https://courant.example`. */
  origins?: Record<string, OriginCredentials>;
}

export interface OriginCredentials {
  developerToken?: string;
  /** Set where `courant login` made that token, so that `courant logout` can revoke it. */
  developerTokenId?: string;
  session?: StoredSession;
}

export interface StoredSession {
  accessToken: string;
  /** Good for one exchange. Absent in what version 1.0 stored: such a session ends with its access token. */
  refreshToken?: string;
  email: string;
  /** The GraphQL endpoint that issued the tokens, which are not valid anywhere else. */
  endpoint: string;
}

/** The token for this origin, or one that belongs to no server yet. */
export function findStoredToken(stored: Credentials, origin: string): string | undefined {
  return stored.origins?.[origin]?.developerToken ?? stored.developerToken;
}

export function findStoredSession(stored: Credentials, origin: string): StoredSession | undefined {
  return stored.origins?.[origin]?.session;
}

/** The origins for which a token is stored. */
export function listTokenOrigins(stored: Credentials): string[] {
  return Object.entries(stored.origins ?? {}).flatMap(([origin, { developerToken }]) =>
    developerToken === undefined ? [] : [origin],
  );
}

export function putCredentials(stored: Credentials, origin: string, changes: OriginCredentials): Credentials {
  const { origins } = stored;
  return { ...stored, origins: { ...origins, [origin]: { ...origins?.[origin], ...changes } } };
}

/** A token that a person gives takes the place of any other: what `courant login` made is not the stored one any more. */
export function putToken(stored: Credentials, origin: string, developerToken: string): Credentials {
  const { developerTokenId: _, ...own } = stored.origins?.[origin] ?? {};
  return { ...stored, origins: { ...stored.origins, [origin]: { ...own, developerToken } } };
}

/** Without the session of this origin; its token stays. */
export function dropSession(stored: Credentials, origin: string): Credentials {
  const { session: _, ...own } = stored.origins?.[origin] ?? {};
  return { ...stored, origins: { ...stored.origins, [origin]: own } };
}

/** Without anything for this origin. */
export function dropOrigin({ endpoint, ...stored }: Credentials, origin: string): Credentials {
  const { [origin]: _, ...origins } = stored.origins ?? {};
  const isCurrent = endpoint !== undefined && new URL(endpoint).origin === origin;
  return { ...stored, ...(endpoint === undefined || isCurrent ? {} : { endpoint }), origins };
}

/** Gives the token that belongs to no server yet to this one. */
export function bindToken({ developerToken, ...stored }: Credentials, origin: string): Credentials {
  if (developerToken === undefined) return stored;
  const own = stored.origins?.[origin]?.developerToken;
  return putCredentials(stored, origin, { developerToken: own ?? developerToken });
}

/** Another server for later commands. A token that was meant for the one so far stays with that. */
export function changeEndpoint(stored: Credentials, endpoint: string): Credentials {
  return { ...bindToken(stored, new URL(stored.endpoint ?? DEFAULT_ENDPOINT).origin), endpoint };
}

/** From the file. What has no meaning is left out; version 1.0 kept one token and one session beside `endpoint`. */
export function toCredentials(value: Record<string, unknown>): Credentials {
  const endpoint = typeof value.endpoint === 'string' && URL.canParse(value.endpoint) ? value.endpoint : undefined;
  let stored: Credentials = endpoint === undefined ? {} : { endpoint };
  if (isRecord(value.origins)) {
    for (const [origin, own] of Object.entries(value.origins)) {
      if (isOrigin(origin) && isRecord(own)) stored = putCredentials(stored, origin, toOriginCredentials(own));
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

function toOriginCredentials(own: Record<string, unknown>): OriginCredentials {
  const { developerToken, developerTokenId } = own;
  const session = toSession(own.session);
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
