/** Sends a page to one reader, with the headers of all pages. */
import type { FastifyReply } from 'fastify';
import { NOT_INDEXED } from '../http-cache/public-response.ts';
import { NO_STORE } from '../plugins/errors/problem.ts';
import { PAGE_POLICY } from './layout.ts';

export const PAGE_TYPE = 'text/html; charset=utf-8';
export const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
} as const;

/** Errors are not cached. `headers` override the default headers or add to them. */
export function sendPage(reply: FastifyReply, status: number, body: string, headers: Record<string, string> = {}) {
  return reply
    .code(status)
    .type(PAGE_TYPE)
    .headers({ ...PAGE_HEADERS, ...(status >= 400 && NO_STORE), ...headers })
    .send(body);
}

/** For one reader: not stored by caches, not indexed by search engines. */
export const PRIVATE_HEADERS = { ...NOT_INDEXED, 'cache-control': 'no-store' } as const;

/** Sends the page of a mail link. Its URL holds a token, which a referrer must not reveal. */
export function sendLinkPage(reply: FastifyReply, status: number, body: string) {
  return sendPage(reply, status, body, { ...PRIVATE_HEADERS, 'referrer-policy': 'no-referrer' });
}
