/**
 * Counts requests by route, method and status. The label is a route pattern, not an address, which
 * bounds the number of series.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';
import { toProblem } from '../errors/to-problem.ts';

const PUBLISH = 'POST /api/v1/articles';
const NO_ROUTE = 'none';
const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function countRequests(app: FastifyInstance, registry: Registry): void {
  const registers = [registry];
  const requests = new Counter({
    name: 'courant_http_requests_total',
    help: 'Requests, including those that matched no route',
    labelNames: ['method', 'route', 'status'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'courant_http_request_duration_seconds',
    help: 'Time from the request headers to the end of the response',
    labelNames: ['method', 'route'] as const,
    buckets: BUCKETS_S,
    registers,
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? NO_ROUTE;
    // Without a route, the client could choose any method.
    const method = route === NO_ROUTE ? NO_ROUTE : request.method;
    requests.inc({ method, route, status: reply.statusCode });
    // A stream lasts as long as its client stays.
    if (!route.endsWith('/stream')) durations.observe({ method, route }, reply.elapsedTime / 1_000);
    done();
  });
}

export type CountPublish = (via: 'rest' | 'desk' | 'graphql', outcome: string) => void;

/** Outcomes: created, updated, replayed, or the code of the rejection. */
export function createPublishCounter(registry: Registry): CountPublish {
  const publishes = new Counter({
    name: 'courant_publishes_total',
    help: 'Publishes by interface and outcome',
    labelNames: ['interface', 'outcome'] as const,
    registers: [registry],
  });
  return (via, outcome) => publishes.inc({ interface: via, outcome });
}

/** Counts REST publishes, including those rejected early. Others count where they publish. */
export function countRestPublishes(app: FastifyInstance, count: CountPublish): void {
  app.addHook('onError', async (request, _reply, error) => {
    if (isPublish(request)) count('rest', toProblem(error, request).code);
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (isPublish(request) && reply.statusCode < 300) {
      const outcome = reply.statusCode === 201 ? 'created' : 'updated';
      count('rest', reply.hasHeader('idempotency-replayed') ? 'replayed' : outcome);
    }
    done();
  });
}

function isPublish({ method, routeOptions }: FastifyRequest): boolean {
  return `${method} ${routeOptions.url}` === PUBLISH;
}
