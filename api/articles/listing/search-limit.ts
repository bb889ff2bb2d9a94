/**
 * How often one network may search, and how many searches run at once: one costs many times what an article does, and holds a connection that
 * a publish may need. Counted in this instance, which is what is protected.
 */
import { toNetwork } from '../../plugins/network.ts';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createFairQueue, WaitedTooLongError } from '../../../threads/fair-queue.ts';
import { createRateLimitProblem, ProblemError } from '../../plugins/errors/problem.ts';

const PER_MINUTE = 120;
/** Of different networks; each searches once at a time. */
const AT_ONCE = 3;
const LONGEST_WAIT_MS = 5_000;
/** Of all networks; each waits once for all its requests at most. */
const MOST_WAITING = 100;

/** Counts a search and runs it when it is its turn. Throws a 429 or a 503. REST and MCP share one limit. */
export type LimitSearches = <T>(request: FastifyRequest, search: () => Promise<T>) => Promise<T>;

export async function createSearchLimit(app: FastifyInstance): Promise<LimitSearches> {
  const turns = createFairQueue({ slots: AT_ONCE, longestWaitMs: LONGEST_WAIT_MS, mostWaiting: MOST_WAITING });
  const count = await createCounter(app);
  return async (request, search) => {
    const counted = await count(request);
    if (!counted.isAllowed && counted.isExceeded) throw refuse(Math.max(1, counted.ttlInSeconds));
    return turns.run(toNetwork(request.ip), search).catch((error: unknown) => {
      throw error instanceof WaitedTooLongError ? explainWait() : error;
    });
  };
}

/** In a scope of its own: what is registered here applies to no route. */
async function createCounter(app: FastifyInstance) {
  let counter: ReturnType<FastifyInstance['createRateLimit']> | undefined;
  await app.register(async (scope) => {
    await scope.register(rateLimit, { global: false });
    counter = scope.createRateLimit({
      max: PER_MINUTE,
      timeWindow: 60_000,
      keyGenerator: (request) => toNetwork(request.ip),
    });
  });
  if (!counter) throw new Error('the limit of searches was not registered');
  return counter;
}

function refuse(seconds: number): ProblemError {
  const detail = `${PER_MINUTE} searches of one network within a minute are the most. Try again in ${seconds} s.`;
  return createRateLimitProblem(detail, seconds);
}

function explainWait(): ProblemError {
  const detail = 'Too many searches are waiting, of your network or of all. Try again in a moment.';
  return new ProblemError(503, 'search_busy', detail, { headers: { 'retry-after': '5' } });
}
