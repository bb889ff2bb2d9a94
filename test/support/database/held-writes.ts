/**
 * Blocks writes to a table in the middle of their transactions, for tests that kill or freeze the
 * writer.
 */
import { Client } from 'pg';

export interface HeldWrites {
  /** The number of blocked statements. */
  countWaiting(): Promise<number>;
  /**
   * Ends the connections of blocked statements, because PostgreSQL notices the loss of a client
   * late.
   */
  endWaiting(): Promise<void>;
  /** Unblocks waiting and future statements. */
  release(): Promise<void>;
  /** Closes the connection, which also unblocks the statements. */
  close(): Promise<void>;
}

/** The number is arbitrary: advisory locks are per database. */
const LOCK = 44;
const WAITING = `from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`;

/** Blocks writes from now on. Call it once per database. */
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
