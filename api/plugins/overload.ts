/**
 * Beyond what a process can do, some requests are refused at once, so that the others are answered in time and nothing piles up. What is
 * refused was not begun; who asks again a little later finds room. Health and open streams go on: a process that is busy is not dead, and
 * answers that are kept in memory never come here.
 */
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { ProblemError } from './errors/problem.ts';

export interface OverloadLimits {
  /** Mean delay of the event loop within a second; 0 is none, as below. */
  eventLoopDelayMs: number;
  /** How long a request may have been waiting for a connection to the database. */
  databaseWaitMs: number;
  /** Of the time within a second in which the event loop was busy, percent. */
  eventLoopPercent: number;
  heapBytes: number;
  rssBytes: number;
}

/** For the `config` of a route that is served in any case. */
export const ALWAYS_SERVED = { pressureHandler: () => undefined };

const SAMPLE_MS = 1_000;
const RETRY_AFTER_S = 2;
const LOG_EVERY_MS = 10_000;

export const OVERLOADED = 'overloaded';

export interface OverloadOptions {
  limits: OverloadLimits;
  /** Milliseconds that the first in line for a connection to the database has waited; 0 where nobody does. */
  measureWaitMs: () => number;
}

export const overloadPlugin = fp(async (app: FastifyInstance, { limits, measureWaitMs }: OverloadOptions) => {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const refuse = (type: string, value: unknown) => {
    if (performance.now() - loggedAt > LOG_EVERY_MS) {
      loggedAt = performance.now();
      app.log.warn({ type, value }, 'overloaded: requests are refused until there is room again');
    }
    const detail = 'The service has more to do than it can. Nothing was changed; send the request again in a moment.';
    throw new ProblemError(503, OVERLOADED, detail, { headers: { 'retry-after': String(RETRY_AFTER_S) } });
  };
  // The event loop is idle while everything waits for PostgreSQL. Who comes would wait as long as the first in line has; a burst is done sooner.
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
      // No sample at all: the process was stopped for a while, or has only just begun.
      if (value === Number.POSITIVE_INFINITY) return undefined;
      return refuse(type, value);
    },
  });
});
