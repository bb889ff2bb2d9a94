/** Health checks for supervisors and load balancers: whether the process is up and can serve. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../../../store/db/database.ts';
import { ProblemError } from '../errors/problem.ts';
import { BYPASS_OVERLOAD } from '../overload.ts';

/** Shorter than the time-outs of load balancers. */
const READY_TIMEOUT_MS = 2_000;

export async function healthRoutes(app: FastifyInstance, { db }: { db: Database }) {
  app.get('/health/live', { config: BYPASS_OVERLOAD }, async () => ({ status: 'ok' }));

  // Temporal is not probed: publishing and reading work without it.
  app.get('/health/ready', { config: BYPASS_OVERLOAD }, async (request) => {
    try {
      await withTimeout(sql`select 1`.execute(db), READY_TIMEOUT_MS);
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      const headers = { 'retry-after': '2' };
      throw new ProblemError(503, 'database_unavailable', 'The database is unreachable.', { headers });
    }
    return { status: 'ok' };
  });
}

/** Rejects after `ms` unless the query has settled before. */
export function withTimeout<T>(query: Promise<T>, ms: number): Promise<T> {
  const timeout = sleep(ms, undefined, { ref: false }).then(() => {
    throw new Error(`no response within ${ms} ms`);
  });
  return Promise.race([query, timeout]);
}
