/** The development pages of mails that were kept because no SMTP server is configured: registered only then, and only on a local machine. */
import { join } from 'node:path';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { listKeptMails, readKeptMail } from '../../../mail/folder-mailer.ts';
import { PAGE_POLICY } from '../../web/layout.ts';
import { renderMailListPage, renderMailPage } from './page.ts';
import { renderNotFoundPage } from '../../web/not-found-page.ts';
import { sendPage } from '../../web/send-page.ts';

export interface MailPagesDeps {
  /** COURANT_HOME. */
  home: string;
  baseUrl: string;
  /** Where it is set, there are no such pages. */
  smtpUrl: string | undefined;
}

/**
 * Mails hold addresses and unsubscribe links. So a site with a public address never shows them, even where its operator forgot SMTP_URL;
 * and a request from another machine or under another host name gets a 404, because any site can point a name of its own at this machine.
 */
export async function mailRoutes(fastify: FastifyInstance, { home, baseUrl, smtpUrl }: MailPagesDeps) {
  if (smtpUrl !== undefined || !isThisMachine(new URL(baseUrl).hostname)) return;
  const app = fastify.withTypeProvider<TypeBoxTypeProvider>();
  const folder = join(home, 'mail');
  const schema = { hide: true, params: Type.Object({ name: Type.String() }) };

  app.addHook('onRequest', async (request, reply) => {
    // The host name is the client's word, and so is an address behind a proxy: the socket's is not.
    const isNear = isThisMachine(request.hostname) && isThisMachine(request.socket.remoteAddress ?? '');
    if (!isNear) return send(reply, 404, renderNotFoundPage());
  });

  app.get('/dev/mails', { schema: { hide: true } }, async (_request, reply) =>
    send(reply, 200, renderMailListPage(await listKeptMails(folder))),
  );

  app.get('/dev/mails/:name', { schema }, async (request, reply) => {
    const mail = await readKeptMail(folder, request.params.name);
    return mail ? send(reply, 200, renderMailPage(mail)) : send(reply, 404, renderNotFoundPage());
  });

  // As a mail program gets it, but without script, forms and remote content, and in an origin of its own.
  app.get('/dev/mails/:name/html', { schema }, async (request, reply) => {
    const mail = await readKeptMail(folder, request.params.name);
    return mail ? send(reply, 200, mail.html, MAIL_POLICY) : send(reply, 404, renderNotFoundPage());
  });
}

const FRAMING_POLICY = `${PAGE_POLICY}; frame-src 'self'`;
const MAIL_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";

function send(reply: FastifyReply, status: number, body: string, policy = FRAMING_POLICY) {
  const headers = { 'content-security-policy': policy, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  return sendPage(reply, status, body, headers);
}

function isThisMachine(hostname: string): boolean {
  return /^(localhost|(::ffff:)?127(\.\d{1,3}){3}|\[?::1\]?)$/.test(hostname);
}
