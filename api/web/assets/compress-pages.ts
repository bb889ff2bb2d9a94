/**
 * Compresses pages rendered for one reader, unless their length could reveal their text to other
 * sites. Responses that are the same for all readers are compressed in
 * `http-cache/cached-response.ts`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chooseCoding, compress, isWorthCompressing } from '../../http-cache/encodings.ts';

/** Call in a plugin whose responses are not cached. */
export function compressPages(app: FastifyInstance): void {
  app.addHook('onSend', compressPage);
}

async function compressPage(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (typeof payload !== 'string' || request.method === 'HEAD' || !isFirstPartyRequest(request)) return payload;
  const coding = chooseCoding(request.headers['accept-encoding']);
  const body = Buffer.from(payload);
  if (coding === 'identity' || !isWorthCompressing(String(reply.getHeader('content-type')), body)) return payload;
  reply.header('content-encoding', coding).removeHeader('content-length');
  return compress(body, coding);
}

/**
 * BREACH: another site can make the browser send requests with chosen words in the URL, and guess
 * page text from the lengths of compressed responses. `none` is a typed address, a bookmark or a
 * reload. Without the header the page is not compressed.
 */
function isFirstPartyRequest({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site === 'same-origin' || site === 'none';
}
