/** Sends a page to a reader, with the headers that every page has. */
import type { FastifyReply } from 'fastify';

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
