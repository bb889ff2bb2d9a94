/** Writes to a table that wait in the middle of their transaction, for tests that kill or freeze whoever makes them. */
import { Client } from 'pg';

export interface HeldWrites {
  /** How many statements wait now. */
  countWaiting(): Promise<number>;
  /** Ends the connections of those that wait: PostgreSQL notices only later that their client is gone. */
  endWaiting(): Promise<void>;
  /** Those that wait go on, and nobody waits any more. */
  release(): Promise<void>;
  /** Releases them, too. */
  close(): Promise<void>;
}

/** Any number: databases have locks of their own. */
const LOCK = 44;
const WAITING = `from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;

/** From now on; once for a database. */
export async function holdWrites(
  databaseUrl: string,
  table: string,
  event: 'insert' | 'update' | 'delete',
): Promise<HeldWrites> {
  const holder = new Client({ connectionString: databaseUrl });
  await holder.connect();
  await holder.query(`
    create function wait_for_release() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${LOCK}); return coalesce(new, old); end $$;
    create trigger held before ${event} on ${table} for each row execute function wait_for_release()`);
  await holder.query('select pg_advisory_lock($1)', [LOCK]);
  return {
    countWaiting: async () => (await holder.query(`select 1 ${WAITING}`)).rowCount ?? 0,
    endWaiting: async () => void (await holder.query(`select pg_terminate_backend(pid) ${WAITING}`)),
    release: async () => void (await holder.query('select pg_advisory_unlock($1)', [LOCK])),
    close: () => holder.end(),
  };
}
