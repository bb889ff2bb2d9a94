/** Whether there is work that somebody waits for, which goes before what nobody does. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/**
 * An entry of the outbox that nobody has taken up, or a schedule that is due about now. A schedule whose time has long passed is held by
 * something else than the machine, such as the suspension of its author, and counts no more.
 */
export async function isAnythingDue(db: Database): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    select exists (select from outbox where leased_until is null or leased_until < now())
      or exists (select from articles where status = 'SCHEDULED'
        and scheduled_at between now() - interval '10 minutes' and now() + interval '5 seconds') as is_due`.execute(db);
  return rows[0]?.isDue === true;
}
