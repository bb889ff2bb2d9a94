/**
 * Work that one instance does for all of them. It is leased by a time in a row and not by a lock: it takes long, and a pooler lends each
 * transaction another session. Whoever dies over it is followed by another when the lease expires, so what is done twice must do no harm.
 */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

export interface Lease {
  /** What is to be done. */
  work: string;
  /** A UUID of the instance. */
  holder: string;
}

/** Takes or renews it. Returns whether the holder has it now. */
export async function takeLease(db: Database, { work, holder }: Lease, leaseMs: number): Promise<boolean> {
  const { rows } = await sql`
    insert into leases (work, holder, leased_until) values (${work}, ${holder}, now() + make_interval(secs => ${leaseMs / 1000}))
    on conflict (work) do update set holder = excluded.holder, leased_until = excluded.leased_until
    where leases.holder = excluded.holder or leases.leased_until < now()
    returning work`.execute(db);
  return rows.length === 1;
}

/** Does nothing where another one has it by now. */
export async function returnLease(db: Database, { work, holder }: Lease): Promise<void> {
  await db.deleteFrom('leases').where('work', '=', work).where('holder', '=', holder).execute();
}
