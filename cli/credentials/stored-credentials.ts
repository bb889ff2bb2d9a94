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
  session?: StoredSession;
}

export interface StoredSession {
  accessToken: string;
  email: string;
  /** The GraphQL endpoint that issued the token, which is not valid anywhere else. */
  endpoint: string;
}

/** The token for this origin, or one that belongs to no server yet. */
export function findStoredToken(stored: Credentials, origin: string): string | undefined {
  return stored.origins?.[origin]?.developerToken ?? stored.developerToken;
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
  const { session } = value;
  if (isSession(session)) stored = putCredentials(stored, new URL(session.endpoint).origin, { session });
  return stored;
}

function toOriginCredentials({ developerToken, session }: Record<string, unknown>): OriginCredentials {
  return {
    ...(typeof developerToken === 'string' ? { developerToken } : {}),
    ...(isSession(session) ? { session } : {}),
  };
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function isSession(value: unknown): value is StoredSession {
  return (
    isRecord(value) &&
    typeof value.accessToken === 'string' &&
    typeof value.email === 'string' &&
    typeof value.endpoint === 'string' &&
    URL.canParse(value.endpoint)
  );
}
