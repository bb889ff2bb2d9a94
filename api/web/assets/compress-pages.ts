/**
 * Compresses what is made for one reader. Such a page holds text of its author beside words of its address, so its length could be used to guess that text,
 * one request after another (BREACH): by whoever has its reader's browser ask for it, and sees how long the answers are. A page is compressed only where the
 * browser says that one of our own pages asks for it, or the reader's own hand did: nobody else chooses the words. Answers to others, and to browsers that do
 * not say who asks, are whole. What everybody is shown alike holds nothing to be guessed, and is compressed once for all: see `answers/sendable.ts`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chooseCoding, compress, isWorthCompressing } from '../../http-cache/encodings.ts';

/** For the plugin in which it is called, whose answers nobody keeps. */
export function compressPages(app: FastifyInstance): void {
  app.addHook('onSend', compressPage);
}

async function compressPage(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (typeof payload !== 'string' || request.method === 'HEAD' || !isAskedByOurs(request)) return payload;
  const coding = chooseCoding(request.headers['accept-encoding']);
  const body = Buffer.from(payload);
  if (coding === 'identity' || !isWorthCompressing(String(reply.getHeader('content-type')), body)) return payload;
  reply.header('content-encoding', coding).removeHeader('content-length');
  return compress(body, coding);
}

/** `none`: an address that was typed, a bookmark, a page that is loaded again. */
function isAskedByOurs({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'same-origin' || site === 'none';
}
