/** For supervisors and load balancers: is the process up, and can it serve? */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../../store/database.ts';
import { ProblemError } from '../problem.ts';

export async function healthRoutes(app: FastifyInstance, { db }: { db: Database }) {
  app.get('/health/live', { schema: { hide: true } }, async () => ({ status: 'ok' }));

  /** Temporal is not asked: publishing and reading work without it. */
  app.get('/health/ready', { schema: { hide: true } }, async (request) => {
    try {
      await sql`select 1`.execute(db);
    } catch (error) {
      request.log.warn({ err: error }, 'not ready');
      const headers = { 'retry-after': '2' };
      throw new ProblemError(503, 'database_unavailable', 'The database cannot be reached.', { headers });
    }
    return { status: 'ok' };
  });
}
