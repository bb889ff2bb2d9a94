/**
 * Routes of the development pages of stored mails. They exist only without an SMTP server and at a
 * local base URL.
 */
import { join } from 'node:path';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { listStoredMails, readStoredMail } from '../../../mail/folder-mailer.ts';
import { PAGE_POLICY } from '../../web/layout.ts';
import { renderNotFoundPage } from '../../web/not-found-page.ts';
import { sendPage } from '../../web/send-page.ts';
import { renderMailListPage, renderMailPage } from './page.ts';

export interface MailPagesDeps {
  /** COURANT_HOME. */
  home: string;
  baseUrl: string;
  /** If set, the pages do not exist. */
  smtpUrl: string | undefined;
}

/**
 * Mails contain addresses and unsubscribe links, so a public site never shows them, even without
 * SMTP_URL. Requests from other machines get a 404, and so do those with other host names: any site
 * can resolve its own name to this machine (DNS rebinding).
 */
export async function mailRoutes(fastify: FastifyInstance, { home, baseUrl, smtpUrl }: MailPagesDeps) {
  if (smtpUrl !== undefined || !isLoopback(new URL(baseUrl).hostname)) return;
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();
  const folder = join(home, 'mail');
  const schema = { hide: true, params: Type.Object({ name: Type.String() }) };

  app.addHook('onRequest', async (request, reply) => {
    // The client controls the host name and forwarded addresses, but not the address of the socket.
    const isLocal = isLoopback(request.hostname) && isLoopback(request.socket.remoteAddress ?? '');
    if (!isLocal) return send(reply, 404, renderNotFoundPage());
  });

  app.get('/dev/mails', { schema: { hide: true } }, async (_request, reply) =>
    send(reply, 200, renderMailListPage(await listStoredMails(folder))),
  );

  app.get('/dev/mails/:name', { schema }, async (request, reply) => {
    const mail = await readStoredMail(folder, request.params.name);
    return mail ? send(reply, 200, renderMailPage(mail)) : send(reply, 404, renderNotFoundPage());
  });

  // The HTML of the mail, in a separate origin without scripts, forms and remote content.
  app.get('/dev/mails/:name/html', { schema }, async (request, reply) => {
    const mail = await readStoredMail(folder, request.params.name);
    return mail ? send(reply, 200, mail.html, MAIL_POLICY) : send(reply, 404, renderNotFoundPage());
  });
}

const FRAMING_POLICY = `${PAGE_POLICY}; frame-src 'self'`;
const MAIL_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";

function send(reply: FastifyReply, status: number, body: string, policy = FRAMING_POLICY) {
  const headers = { 'content-security-policy': policy, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  return sendPage(reply, status, body, headers);
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|(::ffff:)?127(\.\d{1,3}){3}|\[?::1\]?)$/.test(hostname);
}
