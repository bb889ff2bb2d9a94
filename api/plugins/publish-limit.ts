/** Limits publishes to ten per minute and valid token, counted in PostgreSQL so that all API instances agree. */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Hits } from '../../store/rate-limits/counters.ts';
import { getTokenOwner } from '../auth/developer-token.ts';
import { ProblemError } from '../errors/problem.ts';

export const publishLimitPlugin = fp(async (app: FastifyInstance, options: { perMinute: number }) => {
  /** The token was counted when it was read, in the same statement; until the plugin asks, the result waits here under the request's id. */
  const counted = new Map<string, Hits>();
  await app.register(rateLimit, {
    global: false,
    enableDraftSpec: true,
    max: options.perMinute,
    timeWindow: 60_000,
    store: createStore(counted),
    keyGenerator: (request) => {
      counted.set(request.id, getTokenOwner(request).uses);
      return request.id;
    },
    errorResponseBuilder: (_request, { max, after }) => {
      const detail = `This token has published ${max} times within a minute, which is its limit. Try again in ${after}.`;
      return new ProblemError(429, 'rate_limited', detail);
    },
  });
});

/** The plugin constructs the store itself, hence a class in a closure. */
function createStore(counted: Map<string, Hits>) {
  return class CountedStore {
    incr(requestId: string, callback: (error: Error | null, result?: Hits) => void): void {
      const hits = counted.get(requestId);
      counted.delete(requestId);
      callback(hits ? null : new Error('the token of this request was not counted'), hits);
    }
    child(): CountedStore {
      return this;
    }
  };
}
