/**
 * Rejects some requests when the process is overloaded, so that the others are served in time. A
 * rejected request was not started and can be repeated. Health checks, open streams and responses
 * of the cache fast path are not rejected.
 */
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { OverloadLimits } from '../../runtime/config/overload.ts';
import { ProblemError } from './errors/problem.ts';

/** `config` of a route that is never rejected. */
export const BYPASS_OVERLOAD = { pressureHandler: () => undefined };

const SAMPLE_MS = 1_000;
const RETRY_AFTER_S = 2;
const LOG_EVERY_MS = 10_000;

export const OVERLOADED = 'overloaded';

export interface OverloadOptions {
  limits: OverloadLimits;
  /** Milliseconds that the oldest waiter for a database connection has waited; 0 if none waits. */
  measureWaitMs: () => number;
}

export const overloadPlugin = fp(async (app: FastifyInstance, { limits, measureWaitMs }: OverloadOptions) => {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const refuse = (type: string, value: unknown) => {
    if (performance.now() - loggedAt > LOG_EVERY_MS) {
      loggedAt = performance.now();
      app.log.warn({ type, value }, 'overloaded: requests are refused until the load drops');
    }
    const detail = 'The service is overloaded. Nothing was changed. Try again in a moment.';
    throw new ProblemError(503, OVERLOADED, detail, { headers: { 'retry-after': String(RETRY_AFTER_S) } });
  };
  // The event loop is idle while all requests wait for PostgreSQL. A new request would wait as long
  // as the oldest one has. After a burst that time is short.
  app.addHook('onRequest', async ({ routeOptions: { config } }) => {
    if (limits.databaseWaitMs === 0 || 'pressureHandler' in config) return;
    const waitMs = measureWaitMs();
    if (waitMs > limits.databaseWaitMs) refuse('databaseWait', waitMs);
  });
  await app.register(underPressure, {
    maxEventLoopDelay: limits.eventLoopDelayMs,
    maxEventLoopUtilization: limits.eventLoopPercent / 100,
    eventLoopUtilizationMode: 'interval',
    maxHeapUsedBytes: limits.heapBytes,
    maxRssBytes: limits.rssBytes,
    sampleInterval: SAMPLE_MS,
    pressureHandler(_request, _reply, type, value) {
      // Infinity means no sample: the process was suspended or has just started.
      if (value === Number.POSITIVE_INFINITY) return undefined;
      return refuse(type, value);
    },
  });
});
