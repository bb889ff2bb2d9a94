/**
 * The session of a browser: a token that no script can read, and beside it a sign that there is one, so that pages which are the same for everybody
 * ask who is there only where somebody is.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionOwner, Sessions } from '../auth/sessions.ts';
import type { ApiConfig } from '../config.ts';

export const SESSION_COOKIE = 'courant_session';
const SIGN_COOKIE = 'courant_signed_in';

export interface CookieDeps {
  sessions: Sessions;
  config: Pick<ApiConfig, 'baseUrl'>;
}

export async function setSessionCookie(reply: FastifyReply, deps: CookieDeps, owner: SessionOwner): Promise<void> {
  const { token, expiresAt: expires } = await deps.sessions.issue('courant:cookie', owner);
  const options = { ...describe(deps), expires };
  reply.setCookie(SESSION_COOKIE, token, { ...options, httpOnly: true }).setCookie(SIGN_COOKIE, '1', options);
}

export function clearSessionCookie(reply: FastifyReply, deps: CookieDeps): void {
  const options = describe(deps);
  reply.clearCookie(SESSION_COOKIE, { ...options, httpOnly: true }).clearCookie(SIGN_COOKIE, options);
}

/** Null where there is none, or it has expired. Whether its session is still open, the database says. */
export async function readSessionCookie(
  request: FastifyRequest,
  { sessions }: CookieDeps,
): Promise<SessionOwner | null> {
  const token = request.cookies[SESSION_COOKIE];
  return token === undefined ? null : sessions.verify('courant:cookie', token);
}

/** `lax`: a link from a mail leads a signed-in author to the desk; no other site's form or script has it sent. */
function describe({ config }: CookieDeps) {
  return { path: '/', sameSite: 'lax', secure: config.baseUrl.startsWith('https:') } as const;
}
