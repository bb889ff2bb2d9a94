/** Sends a page to one reader, with the headers that every page has. What everybody is shown alike is an answer: see `page-answer.ts`. */
import type { FastifyReply } from 'fastify';
import { PAGE_HEADERS, PAGE_TYPE } from './page-answer.ts';

/** `headers` take the place of the usual ones, or add to them. */
export function sendPage(reply: FastifyReply, status: number, body: string, headers: Record<string, string> = {}) {
  return reply
    .code(status)
    .type(PAGE_TYPE)
    .headers({ ...PAGE_HEADERS, ...headers })
    .send(body);
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
