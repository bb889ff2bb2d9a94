/** Sends a page of the desk to its author. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { toProblem } from '../../plugins/errors/to-problem.ts';
import { type Html, html } from '../html.ts';
import { consumeNotice } from '../notice.ts';
import { PRIVATE_HEADERS, sendPage } from '../send-page.ts';
import { getViewer } from '../viewer.ts';
import { type DeskPage, renderDeskPage } from './desk-page.ts';

/** Scripts and styles are files of this site. */
const DESK_POLICY =
  "default-src 'none'; img-src * data:; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export function sendDeskPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: DeskPage & { status?: number },
  body: Html,
): FastifyReply {
  // A background request of the script does not consume the notice; the next page load shows it.
  const isBackground = request.headers['sec-fetch-dest'] === 'empty';
  const notice = isBackground ? null : consumeNotice(request, reply);
  // Live updates require a page that GET returns again and that no additional script edits, unlike
  // the editor.
  const { status = 200, script } = page;
  const isLive = request.method === 'GET' && status === 200 && script === undefined;
  const text = renderDeskPage(page, { viewer: getViewer(request), notice, isLive }, body);
  return sendPage(reply, status, text, { ...PRIVATE_HEADERS, 'content-security-policy': DESK_POLICY });
}

/** Sends a page about an error. Rethrows it without a viewer and for clients that reject HTML. */
export function sendDeskProblem(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblem(error, request);
  if (request.viewer === null || !request.headers.accept?.includes('text/html')) throw error;
  if (problem.statusCode >= 500) request.log.error({ err: error }, 'request failed');
  const page = { title: 'Something went wrong', current: 'articles', status: problem.statusCode } as const;
  reply.headers(problem.headers);
  return sendDeskPage(
    request,
    reply,
    page,
    html`<p>${problem.message}</p><p><a href="/desk">Back to your articles</a></p>`,
  );
}
