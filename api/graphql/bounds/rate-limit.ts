/**
 * Limits requests per person and minute. Anonymous requests are limited per network, to a fifth.
 * Counts in memory, because each instance protects itself and a count in the database costs more
 * than most requests.
 */

import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { toNetwork } from '../../plugins/network.ts';

export async function registerRateLimit(app: FastifyInstance, { perMinute }: { perMinute: number }): Promise<void> {
  await app.register(rateLimit, {
    global: true,
    enableDraftSpec: true,
    max: (request) => (request.session === null ? Math.ceil(perMinute / 5) : perMinute),
    timeWindow: 60_000,
    keyGenerator: (request) => request.session?.userId ?? toNetwork(request.ip),
    errorResponseBuilder: (_request, { max, after }) => {
      const detail = `The limit is ${max} requests per minute. Try again in ${after}.`;
      return new ProblemError(429, 'rate_limited', detail);
    },
  });
}
