/**
 * Limits the requests to the routes of a scope, by default of one network, which may be an office.
 * Counts in memory: each instance protects itself, and a count in the database costs more than most
 * requests.
 */
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from './errors/problem.ts';
import { toNetwork } from './network.ts';

interface RequestLimit {
  perMinute: number | ((request: FastifyRequest) => number);
  /** The plural noun in the message of the 429. */
  what: string;
  chooseKey?: (request: FastifyRequest) => string;
}

export async function limitRequests(
  scope: FastifyInstance,
  { perMinute, what, chooseKey = ({ ip }) => toNetwork(ip) }: RequestLimit,
): Promise<void> {
  await scope.register(rateLimit, {
    global: true,
    enableDraftSpec: true,
    max: perMinute,
    timeWindow: 60_000,
    keyGenerator: chooseKey,
    errorResponseBuilder: (_request, { max, after }) =>
      new ProblemError(429, 'rate_limited', `The limit is ${max} ${what} per minute. Try again in ${after}.`),
  });
}
