/** Who looks at a page: the person whose session the browser's cookie names. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import type { Database } from '../../store/db/database.ts';
import { findSessionStanding } from '../../store/sessions/standing.ts';
import { findViewer, type Viewer } from '../../store/users/find-viewer.ts';
import { redirectWithNotice } from './notice.ts';
import { type CookieDeps, clearSessionCookie, findSessionCookie, readSessionCookie } from '../auth/session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where nobody is signed in. Behind `requireViewer` somebody is: see `getViewer`. */
    viewer: Viewer | null;
  }
}

export interface ViewerDeps extends CookieDeps {
  db: Database;
  now: () => Date;
}

export function decorateViewer(app: FastifyInstance): void {
  app.decorateRequest('viewer', null);
}

/** For pages that somebody may see who is not signed in. A cookie whose session has ended is taken away. */
export function allowViewer(deps: ViewerDeps) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.viewer = await readViewer(deps, request, reply);
  };
}

/**
 * For pages of signed-in people: others are led to the sign-in page, and back from there. What a form of theirs had sent is not done, which
 * is said; its page is shown again afterwards.
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

/** True also of a form that was sent twice, the first of which ended the session. */
const FORM_NOT_DONE =
  'You were signed out before this form arrived, and it changed nothing. Sign in, and look before you send it again.';

export function getViewer({ viewer }: FastifyRequest): Viewer {
  if (viewer) return viewer;
  throw new RefusedCommandError('UNAUTHENTICATED', 'Sign in first.');
}

/** That of a suspended author is none: the sign-in page says why. */
async function readViewer(deps: ViewerDeps, request: FastifyRequest, reply: FastifyReply): Promise<Viewer | null> {
  const owner = await readSessionCookie(request, deps);
  if (owner !== null) {
    const { state } = await findSessionStanding(deps.db, { ...owner, now: deps.now() });
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
