/** Sends a page to a reader, with the headers that every page has. */
import type { FastifyReply } from 'fastify';
import { READING_SCRIPT_POLICY } from './reading-script.ts';

/** No script runs on a page, even if the sanitiser missed one. Images may come from anywhere, since articles show them. */
const PAGE_POLICY =
  "default-src 'none'; img-src * data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `headers` take the place of the usual ones, or add to them. */
export function sendPage(reply: FastifyReply, status: number, body: string, headers: Record<string, string> = {}) {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': PAGE_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      ...headers,
    })
    .send(body);
}

/** An article's page has a script of ours. Those that the sanitiser missed still do not run. */
export function sendArticlePage(reply: FastifyReply, body: string) {
  return sendPage(reply, 200, body, { 'content-security-policy': `${PAGE_POLICY}; ${READING_SCRIPT_POLICY}` });
}

/** What a link from a mail shows: its address holds a token, which no other site may learn, and its form posts back to it. */
export function sendLinkPage(reply: FastifyReply, status: number, body: string) {
  return sendPage(reply, status, body, {
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    'x-robots-tag': 'noindex',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
}
