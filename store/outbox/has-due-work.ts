/** Checks for work that a person is waiting for, which precedes background work. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * A free outbox entry, or a schedule due about now. A schedule overdue by more than ten minutes
 * does not count: it has another cause, such as a suspended author.
 */
export async function hasDueWork(db: Database): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    select exists (select from outbox where leased_until is null or leased_until < now())
      or exists (select from articles where status = 'SCHEDULED'
        and scheduled_at between now() - interval '10 minutes' and now() + interval '5 seconds') as is_due`.execute(db);
  return rows[0]?.isDue === true;
}
