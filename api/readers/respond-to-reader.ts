/**
 * Runs the action of a reader's form and responds with JSON to scripts, otherwise with a redirect
 * or a page. The page of a rejected form contains the typed text again.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import { findViewer, type Viewer } from '../../store/users/find-user.ts';
import { requireConfirmedAddress } from '../auth/confirmed-address.ts';
import { login } from '../auth/login.ts';
import { describeClient } from '../auth/open-session.ts';
import { setSessionCookie } from '../auth/session-cookie.ts';
import type { ReaderDeps } from '../deps.ts';
import { toRefusalProblem } from '../plugins/errors/to-problem.ts';
import { acceptsJson, readField } from '../web/forms.ts';
import type { Html } from '../web/html.ts';
import { type Notice, redirectWithNotice } from '../web/notice.ts';
import { PRIVATE_HEADERS, sendPage } from '../web/send-page.ts';
import { getViewer } from '../web/viewer.ts';
import { type BackLink, renderConfirmFirst, renderReaderPage, renderSignInFirstPage } from './reader-pages.ts';

interface ReaderAction {
  /** Verb for the sign-in page, as in `Sign in to comment`. */
  title: string;
  back: BackLink;
  /** The sent form, filled with the typed values. */
  filledForm?: Html;
}

interface ReaderActionOutcome {
  /** Path of the page that shows the result. */
  path: string;
  /** Shown once at `path`, which must be a page for the viewer only. Null if it needs none. */
  notice: string | null;
}

/** Runs `run` for the signed-in viewer, or for a reader who signs in with the same form. */
export async function respondToViewer(
  deps: ReaderDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  action: ReaderAction,
  run: (viewer: Viewer) => Promise<ReaderActionOutcome>,
): Promise<FastifyReply> {
  if (request.viewer === null && !acceptsJson(request)) {
    const isSignedIn = await signInHere(deps, { request, reply }, action);
    if (!isSignedIn) return reply;
  }
  return respondToReader({ request, reply }, action, async () => {
    // A sender who signs in with this form is identified only after the body is read.
    requireConfirmedAddress(request);
    return run(getViewer(request));
  });
}

export async function respondToReader(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  action: ReaderAction,
  run: () => Promise<ReaderActionOutcome>,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  if (acceptsJson(request)) return reply.send(await run());
  try {
    const { path, notice } = await run();
    return notice === null
      ? reply.redirect(path, 303)
      : redirectWithNotice(reply, path, { kind: 'done', text: notice });
  } catch (error) {
    return sendRefusal(reply, error, action);
  }
}

/** Throws `error` again if it is not a refusal. */
export function sendRefusal(
  reply: FastifyReply,
  error: unknown,
  { back, filledForm }: Pick<ReaderAction, 'back' | 'filledForm'>,
): FastifyReply {
  if (!(error instanceof RefusedCommandError)) throw error;
  const notice = { kind: 'refused', text: error.message } as const;
  const next = error.code === 'EMAIL_NOT_CONFIRMED' ? renderConfirmFirst(filledForm ?? null) : (filledForm ?? null);
  const page = renderReaderPage('Request rejected', { notice, back }, next);
  return sendPage(reply, toRefusalProblem(error).statusCode, page, PRIVATE_HEADERS);
}

/** Only these fields of a sent form are repeated on the page. */
const FORWARDED_FIELDS = ['body', 'parentId', 'isQuestion', 'kind', 'act'];

/**
 * Returns true if the reader is now signed in. Otherwise a page has been sent that repeats the form
 * with sign-in fields at the same URL. Forms of other sites are rejected before, so no other site
 * can choose the repeated text.
 */
async function signInHere(
  deps: ReaderDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { title, back }: { title: string; back: BackLink },
): Promise<boolean> {
  const email = readField(request, 'email').trim();
  const password = readField(request, 'password');
  if (password === '') return sendSignInPage(401, null);
  try {
    const { owner } = await login(deps, describeClient(request), { email, password });
    await setSessionCookie(reply, deps, owner);
    request.viewer = (await findViewer(deps.db, owner)) ?? null;
    return true;
  } catch (error) {
    if (!(error instanceof RefusedCommandError)) throw error;
    return sendSignInPage(toRefusalProblem(error).statusCode, { kind: 'refused', text: error.message });
  }

  function sendSignInPage(status: number, notice: Notice | null): false {
    const fields = FORWARDED_FIELDS.flatMap((name) => {
      const value = readField(request, name);
      return value === '' ? [] : [[name, value] as const];
    });
    const action = request.url;
    const page = renderSignInFirstPage({ title: `Sign in to ${title}`, action, fields, email, notice, back });
    sendPage(reply, status, page, PRIVATE_HEADERS);
    return false;
  }
}
