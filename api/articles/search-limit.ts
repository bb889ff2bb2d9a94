/** How often one network may search: a search costs many times what an article does. Counted in this instance, which is what is protected. */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toNetwork } from '../auth/login-limits.ts';
import { ProblemError } from '../errors/problem.ts';

const PER_MINUTE = 120;

/** Counts a search. Throws a 429. REST and MCP share one limit. */
export type LimitSearches = (request: FastifyRequest) => Promise<void>;

export async function createSearchLimit(app: FastifyInstance): Promise<LimitSearches> {
  let limit: LimitSearches | undefined;
  await app.register(async (scope) => {
    await scope.register(rateLimit, { global: false });
    const count = scope.createRateLimit({
      max: PER_MINUTE,
      timeWindow: 60_000,
      keyGenerator: (request) => toNetwork(request.ip),
    });
    limit = async (request) => {
      const counted = await count(request);
      if (counted.isAllowed || !counted.isExceeded) return;
      const seconds = Math.max(1, counted.ttlInSeconds);
      const detail = `${PER_MINUTE} searches of one network within a minute are the most. Try again in ${seconds} s.`;
      throw new ProblemError(429, 'rate_limited', detail, { headers: { 'retry-after': String(seconds) } });
    };
  });
  if (!limit) throw new Error('the limit of searches was not registered');
  return limit;
}
