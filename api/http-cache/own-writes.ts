/**
 * Lets clients read their own writes. After a request that can write, cached responses are served
 * again once the announcements of earlier commits have arrived. Readers wait for that, not writers.
 * Without the announcements, responses are rendered again.
 */
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { ResponseCache } from './response-cache.ts';

/** The query normally takes a fraction of a millisecond. */
const CATCH_UP_TIMEOUT_MS = 250;
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

interface OwnWritesDeps {
  cache: ResponseCache;
  /** `catchUp` resolves with true once every earlier commit has arrived, with false after `withinMs`. */
  listener: { catchUp(withinMs: number): Promise<boolean> };
}

export const ownWritesPlugin = fp(async (app: FastifyInstance, { cache, listener }: OwnWritesDeps) => {
  app.addHook('onSend', async ({ method, is404 }) => {
    if (READS.has(method) || is404) return;
    cache.delayReadsUntil(listener.catchUp(CATCH_UP_TIMEOUT_MS));
  });
});
