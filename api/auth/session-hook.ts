/** Hooks for routes that require a session token in `Authorization`. */
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { createSuspendedError, RefusedCommandError } from '../../store/commands/refused-command.ts';
import type { Database } from '../../store/db/database.ts';
import { findSessionStatus } from '../../store/sessions/session-status.ts';
import { TOKEN_PATTERN } from '../../store/tokens/developer-tokens.ts';
import { ProblemError } from '../plugins/errors/problem.ts';
import { readBearer } from './bearer.ts';
import type { SessionOwner, Sessions } from './sessions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null without a valid session token. */
    session: (SessionOwner & { emailConfirmed: boolean }) | null;
  }
}

export interface SessionDeps {
  db: Database;
  sessions: Sessions;
  now: () => Date;
}

/** Responds 401 without a valid session token. */
export function requireSession(deps: SessionDeps): onRequestAsyncHookHandler {
  return async (request) => {
    await readSession(deps, request);
    if (request.session === null)
      throw createUnauthenticatedProblem('Sign in first: send a session token as a bearer token.');
  };
}

/** Accepts requests without a token. Any token other than a session token is a 401. */
export function allowSession(deps: SessionDeps): onRequestAsyncHookHandler {
  return (request) => readSession(deps, request);
}

/** The session of a request behind one of these hooks. Throws UNAUTHENTICATED without one. */
export function getSession({ session }: FastifyRequest): NonNullable<FastifyRequest['session']> {
  if (session) return session;
  throw createSignInFirstError();
}

export function createSignInFirstError(): RefusedCommandError {
  const message = 'Sign in first: send the access token of `login` as a bearer token.';
  return new RefusedCommandError('UNAUTHENTICATED', message);
}

/**
 * Checks the session in the database, so that access tokens of ended sessions are rejected at once.
 * The session of a suspended author is a 403.
 */
async function readSession(deps: SessionDeps, request: FastifyRequest): Promise<void> {
  if (request.headers.authorization === undefined) return;
  const token = readBearer(request.headers.authorization);
  if (token !== null && TOKEN_PATTERN.test(token)) throw createUnauthenticatedProblem(PUBLISHES_ONLY);
  const owner = token === null ? null : await deps.sessions.verify('courant:session', token);
  const status = owner && (await findSessionStatus(deps.db, { ...owner, now: deps.now() }));
  if (status?.state === 'suspended') throw createSuspendedError();
  if (status?.state !== 'open' || owner === null)
    throw createUnauthenticatedProblem(
      'The session has ended, or the token is expired or invalid here. Sign in again.',
    );
  request.session = { ...owner, emailConfirmed: status.emailConfirmed };
}

/** The token is not looked up, so the response does not reveal whether it is valid. */
const PUBLISHES_ONLY =
  'A developer token can only publish articles (POST /api/v1/articles). Sign in, and send the access token of the session instead.';

export function createUnauthenticatedProblem(detail: string): ProblemError {
  return new ProblemError(401, 'unauthenticated', detail, {
    headers: { 'www-authenticate': 'Bearer realm="courant"' },
  });
}
