/**
 * The cookies of a browser session. Scripts cannot read the session token. A second cookie shows
 * them that a session exists, so that cached pages request the viewer only for signed-in readers.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiConfig } from '../config.ts';
import type { SessionOwner, Sessions } from './sessions.ts';

const SESSION_COOKIE = 'courant_session';
const SIGNED_IN_COOKIE = 'courant_signed_in';

export interface CookieConfig {
  config: Pick<ApiConfig, 'baseUrl'>;
}

export interface CookieDeps extends CookieConfig {
  sessions: Sessions;
}

export async function setSessionCookie(reply: FastifyReply, deps: CookieDeps, owner: SessionOwner): Promise<void> {
  const { token, expiresAt: expires } = await deps.sessions.issue('courant:cookie', owner);
  const options = { ...buildCookieOptions(deps), expires };
  reply
    .setCookie(nameSessionCookie(deps), token, { ...options, httpOnly: true })
    .setCookie(SIGNED_IN_COOKIE, '1', options);
}

export function clearSessionCookie(reply: FastifyReply, deps: CookieConfig): void {
  const options = buildCookieOptions(deps);
  reply.clearCookie(nameSessionCookie(deps), { ...options, httpOnly: true }).clearCookie(SIGNED_IN_COOKIE, options);
}

/** Returns null for a missing or expired cookie. Does not check whether the session is open. */
export async function readSessionCookie(request: FastifyRequest, deps: CookieDeps): Promise<SessionOwner | null> {
  const token = findSessionCookie(request, deps);
  return token === undefined ? null : deps.sessions.verify('courant:cookie', token);
}

/** The token as it was sent, not verified. */
export function findSessionCookie({ cookies }: FastifyRequest, deps: CookieConfig): string | undefined {
  return cookies[nameSessionCookie(deps)];
}

/**
 * With TLS, browsers accept the `__Host-` prefix only from this host. Otherwise another subdomain
 * could set its own session and later read what the user wrote in that session.
 */
function nameSessionCookie(deps: CookieConfig): string {
  return hasTls(deps) ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE;
}

/**
 * `lax`: the browser sends the cookie when the user follows a link from a mail, but not with forms
 * or scripts of other sites.
 */
function buildCookieOptions(deps: CookieConfig) {
  return { path: '/', sameSite: 'lax', secure: hasTls(deps) } as const;
}

function hasTls({ config }: CookieConfig): boolean {
  return config.baseUrl.startsWith('https:');
}
