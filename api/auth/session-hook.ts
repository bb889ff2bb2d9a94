/** Hooks for the routes of signed-in people: a session token in `Authorization`, or a 401. */
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { createSuspendedError } from '../../store/commands/refused-command.ts';
import type { Database } from '../../store/db/database.ts';
import { TOKEN_PATTERN } from '../../store/users/developer-tokens.ts';
import { findStanding } from '../../store/users/suspensions.ts';
import { ProblemError } from '../errors/problem.ts';
import { readBearer } from './bearer.ts';
import type { Sessions } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Id of the signed-in user; null where nobody is. */
    sessionUserId: string | null;
  }
}

export function decorateSession(app: FastifyInstance): void {
  app.decorateRequest('sessionUserId', null);
}

export interface SessionDeps {
  db: Database;
  sessions: Sessions;
}

export function requireSession(deps: SessionDeps): onRequestAsyncHookHandler {
  return async (request) => {
    await readSession(deps, request);
    if (request.sessionUserId === null)
      throw createUnauthenticatedProblem('Sign in first: send a session token as a bearer token.');
  };
}

/** Lets requests without a token pass; any token but a session's is a 401. */
export function allowSession(deps: SessionDeps): onRequestAsyncHookHandler {
  return (request) => readSession(deps, request);
}

/** A suspended author's sessions have ended: a 403 that says so. */
async function readSession({ db, sessions }: SessionDeps, request: FastifyRequest): Promise<void> {
  if (request.headers.authorization === undefined) return;
  const token = readBearer(request.headers.authorization);
  if (token !== null && TOKEN_PATTERN.test(token)) throw createUnauthenticatedProblem(PUBLISHES_ONLY);
  const userId = token === null ? null : await sessions.verify('courant:session', token);
  const standing = userId === null ? 'gone' : await findStanding(db, userId);
  if (standing === 'suspended') throw createSuspendedError();
  if (standing === 'gone')
    throw createUnauthenticatedProblem('The session token is expired or not valid here. Sign in again.');
  request.sessionUserId = userId;
}

/** Whether the token is good is not looked up: this says nothing of it. */
const PUBLISHES_ONLY =
  'A developer token publishes articles (POST /api/v1/articles) and opens nothing else. Sign in, and send the access token of the session instead.';

export function createUnauthenticatedProblem(detail: string): ProblemError {
  return new ProblemError(401, 'unauthenticated', detail, {
    headers: { 'www-authenticate': 'Bearer realm="courant"' },
  });
}
