/** Health checks for supervisors and load balancers: whether the process is up and can serve. */
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
      await Promise.race([sql`select 1`.execute(db), rejectAfter(READY_TIMEOUT_MS)]);
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      const headers = { 'retry-after': '2' };
      throw new ProblemError(503, 'database_unavailable', 'The database is unreachable.', { headers });
    }
    return { status: 'ok' };
  });
}

function rejectAfter(ms: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error(`no response within ${ms} ms`)), ms).unref();
  });
}
