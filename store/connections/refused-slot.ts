/** A delivery that was answered 429: its account is blocked at once, and of all that wait it stays the first. */
import { sql, type Transaction } from 'kysely';
import { computePause } from '../../delivery/retry-state.ts';
import type { Database } from '../db/database.ts';
import { transactInTrips } from '../db/trips.ts';
import type { DB } from '../db/types.ts';
import { type Account, lockAccountOfSlot, type Pacing } from './account-pace.ts';
import { blockConnection } from './rate-slots.ts';
import { findSlot, putSlot, spreadSlots } from './waiting-line.ts';

/** Several that were calling when the budget ran out are refused one after the other: that is one block. */
const SAME_BLOCK_MS = 1_000;
const NO_TIME_MS = 2_000;

export interface Refusal {
  /** What the destination asked for. */
  forMs: number;
  /** How long ago; 0 where it has just answered. */
  answeredForMs: number;
  /** How long ago its call began. */
  calledForMs: number;
  pacing: Pacing;
}

/** Returns the milliseconds until the delivery's slot behind the block; null where it has none. */
export function blockAndKeepSlot(db: Database, deliveryId: string, refusal: Refusal): Promise<number | null> {
  const opening = [lockAccountOfSlot(db, { deliveryId }), findSlot(db, { deliveryId })] as const;
  return transactInTrips(db, opening, async ({ tx, send, commitWith }, [[account], [own]]) => {
    // While this waited for the lock, its slot may have gone with the account over which it called.
    if (!account || own?.connectionId !== account.connectionId) return null;
    const blockedMs = await block(tx, account, refusal);
    await spreadSlots(tx, { ...account, blockedMs }, refusal.pacing, deliveryId);
    const [[{ slotMs } = own]] = await send(findSlot(tx, { deliveryId }));
    await commitWith(putSlot(tx, { ...own, deliveryId, slotMs, wakesMs: slotMs, callingUntilMs: null }));
    return Math.max(0, Math.ceil(slotMs - account.nowMs));
  });
}

async function block(
  tx: Transaction<DB>,
  account: Account,
  { forMs, answeredForMs, calledForMs }: Refusal,
): Promise<number> {
  const { connectionId, nowMs, blockedMs, refusals } = account;
  // Those that were calling when the block came knew nothing of it, however short it was: they have not asked again.
  const isNew = answeredForMs === 0 && nowMs - calledForMs >= blockedMs;
  // A time is taken at its word. A destination that names almost none, and keeps refusing, is asked less and less often.
  const askedMs = forMs >= NO_TIME_MS || refusals === 0 || !isNew ? forMs : Math.max(forMs, computePause(refusals));
  // What was answered a while ago may be counted among the refusals already.
  const lengthMs = answeredForMs === 0 ? askedMs : Math.max(0, forMs - answeredForMs);
  const laterMs = nowMs + lengthMs - Math.max(blockedMs, nowMs);
  if (blockedMs > nowMs && laterMs <= SAME_BLOCK_MS) return blockedMs;
  const untilMs = await blockConnection(tx, connectionId, lengthMs);
  if (isNew) await sql`update connections set refusals = refusals + 1 where id = ${connectionId}`.execute(tx);
  return untilMs ?? blockedMs;
}
