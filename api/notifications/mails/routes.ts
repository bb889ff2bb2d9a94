/**
 * Development pages of mails that were stored instead of sent. They exist only without an SMTP
 * server and at a local base URL.
 */
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { listStoredMails, readStoredMail, type StoredMail } from '../../../mail/folder-mailer.ts';
import { html } from '../../web/html.ts';
import { PAGE_POLICY, renderPage } from '../../web/layout.ts';
import { renderNotFoundPage } from '../../web/not-found-page.ts';
import { sendPage } from '../../web/send-page.ts';

interface MailPagesDeps {
  /** COURANT_HOME. */
  home: string;
  baseUrl: string;
  /** If set, the pages do not exist. */
  smtpUrl: string | undefined;
}

type OfMail = { Params: { name: string } };

/**
 * Mails contain addresses and unsubscribe links, so a public site never shows them, even without
 * SMTP_URL. Requests from other machines get a 404, and so do those with other host names: any site
 * can resolve its own name to this machine (DNS rebinding).
 */
export async function mailRoutes(app: FastifyInstance, { home, baseUrl, smtpUrl }: MailPagesDeps) {
  if (smtpUrl !== undefined || !isLoopback(new URL(baseUrl).hostname)) return;
  const folder = join(home, 'mail');

  app.addHook('onRequest', async (request, reply) => {
    // The client controls the host name and forwarded addresses, but not the address of the socket.
    const isLocal = isLoopback(request.hostname) && isLoopback(request.socket.remoteAddress ?? '');
    if (!isLocal) return send(reply, renderNotFoundPage(), { status: 404 });
  });

  app.get('/dev/mails', async (_request, reply) => send(reply, renderList(await listStoredMails(folder))));

  app.get('/dev/mails.json', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return (await listStoredMails(folder)).map(({ to, subject, headers, html: body, text }) => ({
      ...{ to, subject, headers, html: body, text },
    }));
  });

  app.get<OfMail>('/dev/mails/:name', async (request, reply) => {
    const mail = await readStoredMail(folder, request.params.name);
    return mail ? send(reply, renderMail(mail)) : send(reply, renderNotFoundPage(), { status: 404 });
  });

  // The HTML of the mail, in a separate origin without scripts, forms and remote content.
  app.get<OfMail>('/dev/mails/:name/html', async (request, reply) => {
    const mail = await readStoredMail(folder, request.params.name);
    return mail ? send(reply, mail.html, { policy: MAIL_POLICY }) : send(reply, renderNotFoundPage(), { status: 404 });
  });
}

function renderList(mails: readonly StoredMail[]): string {
  const items = mails.map(
    (mail) => html`<li><a href="/dev/mails/${encodeURIComponent(mail.name)}">${mail.subject}</a>
<p class="byline">${describe(mail)}</p></li>`,
  );
  const list = mails.length > 0 ? html`<ul class="list">${items}</ul>` : html`<p>No mail has been sent yet.</p>`;
  return renderPage(
    { title: 'Mails · Courant' },
    html`<h1>Mails</h1><p>SMTP_URL is not set, so mails are stored here instead of being sent.</p>${list}`,
  );
}

function renderMail(mail: StoredMail): string {
  const headers = Object.entries(mail.headers).map(([name, value]) => `${name}: ${value}\n`);
  return renderPage(
    { title: `${mail.subject} · Mails` },
    html`<p><a href="/dev/mails">All mails</a></p>
<h1>${mail.subject}</h1>
<p class="byline">${describe(mail)}</p>
<iframe class="mail" title="The mail as HTML" sandbox src="/dev/mails/${encodeURIComponent(mail.name)}/html"></iframe>
<h2>Text</h2>
<pre>${mail.text}</pre>
<h2>Headers</h2>
<pre>${headers.join('')}</pre>`,
  );
}

function describe({ to, date }: StoredMail): string {
  return `${to} · ${date.slice(0, 16).replace('T', ' ')} UTC`;
}

const FRAMING_POLICY = `${PAGE_POLICY}; frame-src 'self'`;
const MAIL_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";

function send(reply: FastifyReply, body: string, { status = 200, policy = FRAMING_POLICY } = {}) {
  const headers = { 'content-security-policy': policy, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  return sendPage(reply, status, body, headers);
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|(::ffff:)?127(\.\d{1,3}){3}|\[?::1\]?)$/.test(hostname);
}
