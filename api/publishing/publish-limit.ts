/** Limits publishes per minute and valid token, counted in PostgreSQL for all instances. */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Hits } from '../../store/rate-limits/counters.ts';
import { getTokenOwner } from '../auth/developer-token.ts';
import { ProblemError } from '../plugins/errors/problem.ts';

export const publishLimitPlugin = fp(async (app: FastifyInstance, options: { perMinute: number }) => {
  await app.register(rateLimit, {
    global: false,
    enableDraftSpec: true,
    max: options.perMinute,
    timeWindow: 60_000,
    store: CountedStore,
    // The plugin passes only the key to its store, so the key contains the count, which
    // authentication has read with the token.
    keyGenerator: (request) => JSON.stringify(getTokenOwner(request).uses),
    errorResponseBuilder: (_request, { max, after }) => {
      const detail = `This token has published ${max} times within a minute, which is its limit. Try again in ${after}.`;
      return new ProblemError(429, 'rate_limited', detail);
    },
  });
});

/** Returns the count that the key contains. */
class CountedStore {
  incr(key: string, callback: (error: Error | null, result?: Hits) => void): void {
    callback(null, JSON.parse(key) as Hits);
  }
  child(): CountedStore {
    return this;
  }
}
