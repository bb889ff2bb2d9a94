/** Does what a reader's form asks, and says what came of it: to the script that sent it, or as a page. Nobody has to write anything twice. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import type { Viewer } from '../../store/users/find-viewer.ts';
import { requireConfirmedAddress } from '../auth/confirmed-address.ts';
import { describeRefusedCommand } from '../plugins/errors/refused-command.ts';
import type { Html } from '../web/html.ts';
import { type BackLink, renderConfirmFirst, renderReaderPage } from './reader-pages.ts';
import { PRIVATE_HEADERS, sendPage } from '../web/send-page.ts';
import { wantsJson } from '../web/forms.ts';
import { redirectWithNotice } from '../web/notice.ts';
import { getViewer } from '../web/viewer.ts';
import type { ReaderDeps } from './deps.ts';
import { signInHere } from './sign-in-here.ts';

export interface Asked {
  /** What it is about to do, for the page that asks to sign in first. */
  title: string;
  back: BackLink;
  /** The form again, with what was typed. */
  again?: Html;
}

export interface Done {
  /** Where it is seen. */
  path: string;
  /** What the page there says once; only a page for the viewer alone can say it. Null where what was done speaks for itself. */
  notice: string | null;
}

/** As the one who is signed in, or who signs in with this form. */
export async function answerViewer(
  deps: ReaderDeps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  asked: Asked,
  act: (viewer: Viewer) => Promise<Done>,
): Promise<FastifyReply> {
  if (request.viewer === null && !wantsJson(request)) {
    const isSignedIn = await signInHere(deps, { request, reply }, asked);
    if (!isSignedIn) return reply;
  }
  return answerReader({ request, reply }, asked, async () => {
    // A sender who signs in with this form is identified only after the body is read.
    requireConfirmedAddress(request);
    return act(getViewer(request));
  });
}

export async function answerReader(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  asked: Asked,
  act: () => Promise<Done>,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  if (wantsJson(request)) return reply.send(await act());
  try {
    const { path, notice } = await act();
    return notice === null
      ? reply.redirect(path, 303)
      : redirectWithNotice(reply, path, { kind: 'done', text: notice });
  } catch (error) {
    return sendRefusal(reply, error, asked);
  }
}

/** Throws `error` again if it is not a refusal. */
export function sendRefusal(
  reply: FastifyReply,
  error: unknown,
  { back, again }: Pick<Asked, 'back' | 'again'>,
): FastifyReply {
  const refusal = describeRefusedCommand(error);
  if (!refusal || !(error instanceof RefusedCommandError)) throw error;
  const notice = { kind: 'refused', text: error.message } as const;
  const next = error.code === 'EMAIL_NOT_CONFIRMED' ? renderConfirmFirst(again ?? null) : (again ?? null);
  const page = renderReaderPage('This was not done', { notice, back }, next);
  return sendPage(reply, error.code === 'NOT_FOUND' ? 404 : refusal.problem.statusCode, page, PRIVATE_HEADERS);
}
