/** Sends a page to one reader, with the headers that every page has. What everybody is shown alike is an answer: see `page-answer.ts`. */
import type { FastifyReply } from 'fastify';
import { NOT_INDEXED } from '../http-cache/headers.ts';
import { PAGE_HEADERS, PAGE_TYPE } from './page-response.ts';

/** `headers` take the place of the usual ones, or add to them. */
export function sendPage(reply: FastifyReply, status: number, body: string, headers: Record<string, string> = {}) {
  return reply
    .code(status)
    .type(PAGE_TYPE)
    .headers({ ...PAGE_HEADERS, ...headers })
    .send(body);
}

/** For the one who asked alone: nobody keeps it, and no search engine shows it. */
export const PRIVATE_HEADERS = { ...NOT_INDEXED, 'cache-control': 'no-store' } as const;

/** What a link from a mail shows: its address holds a token, which no other site may learn, and its form posts back to it. */
export function sendLinkPage(reply: FastifyReply, status: number, body: string) {
  return sendPage(reply, status, body, { ...PRIVATE_HEADERS, 'referrer-policy': 'no-referrer' });
}
