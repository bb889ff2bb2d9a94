/**
 * Limits the requests of one network, which may be an office, to the routes of a scope. Counts in
 * memory: each instance protects itself, and a count in the database costs more than most requests.
 */

import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from './errors/problem.ts';
import { toNetwork } from './network.ts';

/** `what` is the plural noun in the message of the 429. */
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
      new ProblemError(429, 'rate_limited', `The limit is ${max} ${what} per minute. Try again in ${after}.`),
  });
}
