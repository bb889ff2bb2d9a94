/** The row of an account's rate budget, locked while slots in it are given out. All times are the database's, in epoch milliseconds. */
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { prepareOnce } from '../db/prepared.ts';

/** A platform's pace: a write every `intervalMs`, with `burst` of them at once. */
export interface Pacing {
  intervalMs: number;
  burst: number;
}

export interface Account {
  connectionId: string;
  platform: string;
  nowMs: number;
  /** GCRA: the theoretical arrival time of the next write. */
  arrivalMs: number;
  /** 0 where the account was never blocked. */
  blockedMs: number;
  /** 429s in a row. */
  refusals: number;
}

export function isBlocked({ blockedMs, nowMs }: Account): boolean {
  return blockedMs > nowMs;
}

/** No row where the connection is gone. */
export const lockAccount = prepareOnce('lock_account', (db, { connectionId }: { connectionId: string }) =>
  buildLock(sql`${connectionId}`).compile(db),
);

/** That in whose line the delivery has its slot. No row without one. */
export const lockAccountOfSlot = prepareOnce('lock_account_of_slot', (db, { deliveryId }: { deliveryId: string }) =>
  buildLock(sql`(select connection_id from rate_slots where delivery_id = ${deliveryId})`).compile(db),
);

function buildLock(connectionId: RawBuilder<unknown>) {
  return sql<Account>`
    select id as connection_id, platform, ${countMs(sql`clock_timestamp()`)} as now_ms, ${countMs(sql`arrival_at`)} as arrival_ms,
      coalesce(${countMs(sql`blocked_until`)}, 0) as blocked_ms, refusals
    from connections where id = ${connectionId} for no key update`;
}

export const setArrival = prepareOnce(
  'set_arrival',
  (db, { connectionId, arrivalMs }: Pick<Account, 'connectionId' | 'arrivalMs'>) =>
    sql`update connections set arrival_at = ${atMs(arrivalMs)} where id = ${connectionId}`.compile(db),
);

/** Sent at the beginning of a transaction: a slot that a crash of the database loses is reserved again, which is not worth the wait for its disk. */
export const KEEP_BRIEFLY = CompiledQuery.raw('set local synchronous_commit = off');

export function countMs(time: RawBuilder<unknown>) {
  return sql<number>`(extract(epoch from ${time}) * 1000)::float8`;
}

export function atMs(ms: number | null | RawBuilder<unknown>) {
  return sql<Date>`to_timestamp(${ms}::float8 / 1000)`;
}
