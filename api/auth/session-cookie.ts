/**
 * The session of a browser: a token that no script can read, and beside it a sign that there is one, so that pages which are the same for everybody
 * ask who is there only where somebody is.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionOwner, Sessions } from './sessions.ts';
import type { ApiConfig } from '../config.ts';

const SESSION_COOKIE = 'courant_session';
const SIGN_COOKIE = 'courant_signed_in';

export interface CookieConfig {
  config: Pick<ApiConfig, 'baseUrl'>;
}

export interface CookieDeps extends CookieConfig {
  sessions: Sessions;
}

export async function setSessionCookie(reply: FastifyReply, deps: CookieDeps, owner: SessionOwner): Promise<void> {
  const { token, expiresAt: expires } = await deps.sessions.issue('courant:cookie', owner);
  const options = { ...describe(deps), expires };
  reply.setCookie(nameSessionCookie(deps), token, { ...options, httpOnly: true }).setCookie(SIGN_COOKIE, '1', options);
}

export function clearSessionCookie(reply: FastifyReply, deps: CookieConfig): void {
  const options = describe(deps);
  reply.clearCookie(nameSessionCookie(deps), { ...options, httpOnly: true }).clearCookie(SIGN_COOKIE, options);
}

/** Null where there is none, or it has expired. Whether its session is still open, the database says. */
export async function readSessionCookie(request: FastifyRequest, deps: CookieDeps): Promise<SessionOwner | null> {
  const token = findSessionCookie(request, deps);
  return token === undefined ? null : deps.sessions.verify('courant:cookie', token);
}

/** The token as it was sent, whatever it is. */
export function findSessionCookie({ cookies }: FastifyRequest, deps: CookieConfig): string | undefined {
  return cookies[nameSessionCookie(deps)];
}

/**
 * With TLS, a name that browsers let this very host alone set: a neighbour on another subdomain could have somebody act in a session of the
 * neighbour's own, and read afterwards what they wrote there.
 */
function nameSessionCookie(deps: CookieConfig): string {
  return hasTls(deps) ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE;
}

/** `lax`: a link from a mail leads a signed-in author to the desk; no other site's form or script has it sent. */
function describe(deps: CookieConfig) {
  return { path: '/', sameSite: 'lax', secure: hasTls(deps) } as const;
}

function hasTls({ config }: CookieConfig): boolean {
  return config.baseUrl.startsWith('https:');
}
