/** Limits publishes to ten per minute and valid token, counted in PostgreSQL so that all API instances agree. */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { Database } from '../../store/db/database.ts';
import { countHit } from '../../store/rate-limits/counters.ts';
import { getTokenOwner } from '../auth/developer-token.ts';
import { ProblemError } from '../errors/problem.ts';

const MINUTE_MS = 60_000;

export const publishLimitPlugin = fp(async (app: FastifyInstance, options: { db: Database; perMinute: number }) => {
  await app.register(rateLimit, {
    global: false,
    enableDraftSpec: true,
    max: options.perMinute,
    timeWindow: MINUTE_MS,
    store: createStore(options.db),
    // By the token's id: neither its spelling nor the client's address nor forwarded headers make a new limit.
    keyGenerator: (request) => `publish:${getTokenOwner(request).tokenId}`,
    errorResponseBuilder: (_request, { max, after }) => {
      const detail = `This token has published ${max} times within a minute, which is its limit. Try again in ${after}.`;
      return new ProblemError(429, 'rate_limited', detail);
    },
  });
});

type Counted = { current: number; ttl: number };

/** The plugin constructs the store itself, hence a class in a closure. Where the store fails, the request fails (503). */
function createStore(db: Database) {
  return class PostgresStore {
    incr(key: string, callback: (error: Error | null, result?: Counted) => void): void {
      countHit(db, key, MINUTE_MS).then(
        (counted) => callback(null, counted),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
      );
    }
    child(): PostgresStore {
      return this;
    }
  };
}
