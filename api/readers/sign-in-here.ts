/**
 * Signs in a reader who sends a form without a session. A page repeats the form with sign-in fields
 * at the same URL, so it needs no redirect target. Forms of other sites are rejected before, so no
 * other site can choose the repeated text.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import { findViewer } from '../../store/users/find-user.ts';
import { login } from '../auth/login.ts';
import { describeClient } from '../auth/open-session.ts';
import { setSessionCookie } from '../auth/session-cookie.ts';
import { toRefusalProblem } from '../plugins/errors/to-problem.ts';
import { readField } from '../web/forms.ts';
import type { Notice } from '../web/notice.ts';
import { PRIVATE_HEADERS, sendPage } from '../web/send-page.ts';
import type { ReaderDeps } from './deps.ts';
import { type BackLink, renderSignInFirstPage } from './reader-pages.ts';

/** Only these fields of a sent form are repeated on the page. */
const FORWARDED_FIELDS = ['body', 'parentId', 'isQuestion', 'kind', 'act'];

/** Returns true if the reader is now signed in. Otherwise the sign-in page has been sent. */
export async function signInHere(
  deps: ReaderDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { title, back }: { title: string; back: BackLink },
): Promise<boolean> {
  const email = readField(request, 'email').trim();
  const password = readField(request, 'password');
  if (password === '') {
    sendSignInPage(401, null);
    return false;
  }
  try {
    const { owner } = await login(deps, describeClient(request), { email, password });
    await setSessionCookie(reply, deps, owner);
    request.viewer = (await findViewer(deps.db, owner)) ?? null;
    return true;
  } catch (error) {
    if (!(error instanceof RefusedCommandError)) throw error;
    sendSignInPage(toRefusalProblem(error).statusCode, { kind: 'refused', text: error.message });
    return false;
  }

  function sendSignInPage(status: number, notice: Notice | null): void {
    const fields = FORWARDED_FIELDS.flatMap((name) => {
      const value = readField(request, name);
      return value === '' ? [] : [[name, value] as const];
    });
    const action = request.url;
    const page = renderSignInFirstPage({ title: `Sign in to ${title}`, action, fields, email, notice, back });
    sendPage(reply, status, page, PRIVATE_HEADERS);
  }
}
