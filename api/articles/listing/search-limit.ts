/**
 * Limits the searches per network and those that run at once. A search costs many times as much as
 * an article page, and holds a database connection that a publish may need. The limits apply per
 * instance, because they protect the instance.
 */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createFairQueue, WaitedTooLongError } from '../../../runtime/threads/fair-queue.ts';
import { createRateLimitProblem, ProblemError } from '../../plugins/errors/problem.ts';
import { toNetwork } from '../../plugins/network.ts';

const PER_MINUTE = 120;
/** Shared by all networks; one network runs one search at a time. */
const MAX_CONCURRENT = 3;
const MAX_WAIT_MS = 5_000;
/** Networks that wait. All requests of a network count once. */
const MAX_QUEUED = 100;

/** Counts a search, queues it and runs it. Throws a 429 or a 503. REST and MCP share one limit. */
export type LimitSearches = <T>(request: FastifyRequest, search: () => Promise<T>) => Promise<T>;

export async function createSearchLimit(app: FastifyInstance): Promise<LimitSearches> {
  const queue = createFairQueue({ maxRunning: MAX_CONCURRENT, maxWaitMs: MAX_WAIT_MS, maxWaiting: MAX_QUEUED });
  let count: ReturnType<FastifyInstance['createRateLimit']> | undefined;
  // In a child scope, so that the plugin applies to no route.
  await app.register(async (scope) => {
    await scope.register(rateLimit, { global: false });
    const keyGenerator = (request: FastifyRequest) => toNetwork(request.ip);
    count = scope.createRateLimit({ max: PER_MINUTE, timeWindow: 60_000, keyGenerator });
  });
  return async (request, search) => {
    if (!count) throw new Error('the limit of searches was not registered');
    const counted = await count(request);
    if (!counted.isAllowed && counted.isExceeded) throw refuse(Math.max(1, counted.ttlInSeconds));
    return queue.run(toNetwork(request.ip), search).catch((error: unknown) => {
      throw error instanceof WaitedTooLongError ? explainWait() : error;
    });
  };
}

function refuse(seconds: number): ProblemError {
  const detail = `One network can run at most ${PER_MINUTE} searches a minute. Try again in ${seconds} s.`;
  return createRateLimitProblem(detail, seconds);
}

function explainWait(): ProblemError {
  const detail = 'Too many searches are queued, from your network or in total. Try again in a moment.';
  return new ProblemError(503, 'search_busy', detail, { headers: { 'retry-after': '5' } });
}
