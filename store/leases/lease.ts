/**
 * Leases for work that one instance does for all. A time in a row replaces a lock, since the work
 * is long and a pooler switches sessions. After a crash the next holder repeats the work, so it
 * must be idempotent.
 */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

export interface Lease {
  /** Name of the work. */
  work: string;
  /** UUID of the instance. */
  holder: string;
}

/** Acquires or renews the lease. Returns whether the holder has it now. */
export async function acquireLease(db: Database, { work, holder }: Lease, leaseMs: number): Promise<boolean> {
  const { rows } = await sql`
    insert into leases (work, holder, leased_until) values (${work}, ${holder}, now() + make_interval(secs => ${leaseMs / 1000}))
    on conflict (work) do update set holder = excluded.holder, leased_until = excluded.leased_until
    where leases.holder = excluded.holder or leases.leased_until < now()
    returning work`.execute(db);
  return rows.length === 1;
}

/** Does nothing if another holder has acquired the lease. */
export async function releaseLease(db: Database, { work, holder }: Lease): Promise<void> {
  await db.deleteFrom('leases').where('work', '=', work).where('holder', '=', holder).execute();
}
