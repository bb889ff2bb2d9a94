/**
 * How often one network, which may be an office, may call the routes of a scope. Counted in the memory of this instance, which is what is
 * protected: a count in the database would cost more than most of these requests do.
 */
import { toNetwork } from './network.ts';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from './errors/problem.ts';

/** `what` is the plural that the 429 names. */
export async function limitNetworks(
  scope: FastifyInstance,
  { perMinute, what }: { perMinute: number; what: string },
): Promise<void> {
  await scope.register(rateLimit, {
    global: true,
    enableDraftSpec: true,
    max: perMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => toNetwork(request.ip),
    errorResponseBuilder: (_request, { max, after }) =>
      new ProblemError(429, 'rate_limited', `${max} ${what} within a minute are the most. Try again in ${after}.`),
  });
}
