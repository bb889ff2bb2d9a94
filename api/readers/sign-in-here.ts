/**
 * Signing in on the way: who sends a form and is not signed in is asked to, by a page whose form goes where the first one went and holds all that
 * it held. It was one of our own pages that sent it, as of every form, so no other site can put words into anybody's mouth; and it leads nowhere but to
 * where it is sent.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { findViewer } from '../../store/users/find-viewer.ts';
import { login } from '../accounts/sign-in/login.ts';
import { describeClient } from '../accounts/sign-in/open-session.ts';
import { describeRefusedCommand } from '../plugins/errors/refused-command.ts';
import { type BackLink, renderSignInFirstPage } from './reader-pages.ts';
import { PRIVATE_HEADERS, sendPage } from '../web/send-page.ts';
import { readField } from '../web/forms.ts';
import type { Notice } from '../web/notice.ts';
import { setSessionCookie } from '../auth/session-cookie.ts';
import type { ReaderDeps } from './deps.ts';

/** Of the forms of readers; nothing else that is sent goes into the page. */
const KEPT_FIELDS = ['body', 'parentId', 'isQuestion', 'kind', 'act'];

/** Whether somebody is signed in now. If not, the page that asks has been sent. */
export async function signInHere(
  deps: ReaderDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { title, back }: { title: string; back: BackLink },
): Promise<boolean> {
  const email = readField(request, 'email').trim();
  const password = readField(request, 'password');
  if (password === '') {
    askFor(401, null);
    return false;
  }
  try {
    const { owner } = await login(deps, describeClient(request), { email, password });
    await setSessionCookie(reply, deps, owner);
    request.viewer = (await findViewer(deps.db, owner)) ?? null;
    return true;
  } catch (error) {
    const refusal = describeRefusedCommand(error);
    if (!refusal) throw error;
    askFor(refusal.problem.statusCode, { kind: 'refused', text: refusal.problem.message });
    return false;
  }

  function askFor(status: number, notice: Notice | null): void {
    const kept = KEPT_FIELDS.flatMap((name) => {
      const value = readField(request, name);
      return value === '' ? [] : [[name, value] as const];
    });
    const action = request.url;
    const page = renderSignInFirstPage({ title: `Sign in to ${title}`, action, kept, email, notice, back });
    sendPage(reply, status, page, PRIVATE_HEADERS);
  }
}
