/** The row of an account's rate budget, locked while slots in it are given out. All times are the database's, in epoch milliseconds. */
import { sql, type Transaction } from 'kysely';
import type { DB } from '../db/types.ts';

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

/** Null where the connection is gone. */
export async function lockAccount(tx: Transaction<DB>, connectionId: string): Promise<Account | null> {
  const { rows } = await sql<Account>`
    select id as connection_id, platform, ${countMs(sql`clock_timestamp()`)} as now_ms, ${countMs(sql`arrival_at`)} as arrival_ms,
      coalesce(${countMs(sql`blocked_until`)}, 0) as blocked_ms, refusals
    from connections where id = ${connectionId} for no key update`.execute(tx);
  return rows[0] ?? null;
}

export async function setArrival(tx: Transaction<DB>, connectionId: string, arrivalMs: number): Promise<void> {
  await sql`update connections set arrival_at = ${atMs(arrivalMs)} where id = ${connectionId}`.execute(tx);
}

/** A slot that a crash of the database loses is reserved again: not worth the wait for its disk. */
export async function keepBriefly(tx: Transaction<DB>): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(tx);
}

export function countMs(time: ReturnType<typeof sql>) {
  return sql<number>`(extract(epoch from ${time}) * 1000)::float8`;
}

export function atMs(ms: number) {
  return sql<Date>`to_timestamp(${ms / 1000}::float8)`;
}
