/**
 * Pages opened by a link in a mail, which search engines must not index. Mail scanners and previews
 * follow every link with GET, so GET only shows a form. POST acts. The signed link authorises it,
 * so it requires no cookie and no origin.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RefusedCommandError } from '../../store/commands/refused-command.ts';
import { type Html, html } from './html.ts';
import { renderPage } from './layout.ts';
import { chooseStatus } from './page-form.ts';
import { sendLinkPage } from './send-page.ts';

export interface MailLink {
  /**
   * Two segments, because a single one would collide with article slugs. The token is in the query,
   * which is never logged.
   */
  path: string;
  /** Renders the form. It has no action, so it posts to the URL of the page. Errors: LINK_INVALID. */
  show(token: string, problem: string | null): string | Promise<string>;
  /** Acts and renders the result. After any error but LINK_INVALID the form is shown with it. */
  act(token: string, request: FastifyRequest): Promise<string>;
}

export function addMailLink(app: FastifyInstance, { path, show, act }: MailLink): void {
  app.get(path, (request, reply) => send(reply, 200, () => show(readToken(request), null)));
  app.post(path, (request, reply) => {
    const token = readToken(request);
    return send(reply, 200, () => act(token, request)).catch((error: unknown) => {
      if (!(error instanceof RefusedCommandError)) throw error;
      return send(reply, chooseStatus(error), () => show(token, error.message));
    });
  });
}

async function send(reply: FastifyReply, status: number, render: () => string | Promise<string>) {
  try {
    return await sendLinkPage(reply, status, await render());
  } catch (error) {
    if (!(error instanceof RefusedCommandError) || error.code !== 'LINK_INVALID') throw error;
    return sendLinkPage(reply, 404, renderLinkPage('This link does not work', html`<p>${error.message}</p>`));
  }
}

/** A repeated parameter is an array, which is not a valid token. */
function readToken({ query }: FastifyRequest): string {
  const { token } = query as { token?: unknown };
  return typeof token === 'string' ? token : '';
}

/** `heading` replaces the title as the heading of the page. */
export function renderLinkPage(title: string, body: Html, heading: Html | string = title): string {
  return renderPage(
    { title: `${title} · Courant`, isNoindex: true },
    html`<h1>${heading}</h1>
${body}`,
  );
}
