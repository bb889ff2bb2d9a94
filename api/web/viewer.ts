/** The viewer of a page: the person of the session in the browser's cookie. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import type { Database } from '../../store/db/database.ts';
import { findSessionStatus } from '../../store/sessions/session-status.ts';
import { findViewer, type Viewer } from '../../store/users/find-user.ts';
import { type CookieDeps, clearSessionCookie, findSessionCookie, readSessionCookie } from '../auth/session-cookie.ts';
import { redirectWithNotice } from './notice.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null without a session. Behind `requireViewer` never null: use `getViewer`. */
    viewer: Viewer | null;
  }
}

export interface ViewerDeps extends CookieDeps {
  db: Database;
  now: () => Date;
}

/** For pages that do not require a session. Clears the cookie of a session that has ended. */
export function allowViewer(deps: ViewerDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.viewer = await readViewer(deps, request, reply);
  };
}

/**
 * For pages that require a session: redirects others to the sign-in page, and back from there. A
 * submitted form is not executed; a notice explains this, and its page is opened again afterwards.
 */
export function requireViewer(deps: ViewerDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    request.viewer = await readViewer(deps, request, reply);
    if (request.viewer !== null) return undefined;
    const isForm = request.method !== 'GET' && request.method !== 'HEAD';
    const signIn = `/login?next=${encodeURIComponent(isForm ? readRefererPath(request) : request.url)}`;
    if (isForm) return redirectWithNotice(reply, signIn, { kind: 'refused', text: FORM_NOT_DONE });
    return reply.header('cache-control', 'no-store').redirect(signIn, 303);
  };
}

/** Also shown for a form submitted twice if the first submission ended the session. */
const FORM_NOT_DONE =
  'You were signed out before this form arrived, so nothing was changed. Sign in, check the page, then send the form again.';

export function getViewer({ viewer }: FastifyRequest): Viewer {
  if (viewer) return viewer;
  throw new RefusedCommandError('UNAUTHENTICATED', 'Sign in first.');
}

/** The session of a suspended author does not count; the sign-in page gives the reason. */
async function readViewer(deps: ViewerDeps, request: FastifyRequest, reply: FastifyReply): Promise<Viewer | null> {
  const owner = await readSessionCookie(request, deps);
  if (owner !== null) {
    const { state } = await findSessionStatus(deps.db, { ...owner, now: deps.now() });
    const viewer = state === 'open' ? await findViewer(deps.db, owner) : undefined;
    if (viewer) return viewer;
  }
  if (findSessionCookie(request, deps) !== undefined) clearSessionCookie(reply, deps);
  return null;
}

function readRefererPath({ headers }: FastifyRequest): string {
  const { referer = '' } = headers;
  return URL.canParse(referer) ? new URL(referer).pathname : '/desk';
}
