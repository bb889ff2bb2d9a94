/**
 * Who may call a destination over one connection, and when. The account's rate budget is one row, in which deliveries reserve their slots;
 * a block moves those that wait behind it, in their order and at the platform's pace, whoever imposed it. Of those whose slot has come, as
 * many call at once as the connection has places.
 *
 * Only the first few in line sleep until their slots. The others sleep longer, and whoever ends a call tells the next (`release-slot`): however
 * often a block moves a crowd, nobody wakes just to learn of it.
 */
import { sql, type Transaction } from 'kysely';
import type { Database } from '../db/database.ts';
import { type TripTransaction, transactInTrips } from '../db/trips.ts';
import type { DB } from '../db/types.ts';
import {
  type Account,
  countMs,
  isBlocked,
  KEEP_BRIEFLY,
  lockAccount,
  type Pacing,
  setArrival,
} from './account-pace.ts';
import { countAhead, countCalls, findSlot, knowsSlot, putSlot, spreadSlots } from './waiting-line.ts';

/** Calls over one connection at once, over all workers: a destination that hangs holds so many of their activities, and no more. */
export const PLACES = 8;
/** So many of those that wait know their slots: enough that a fast account never waits for the next to be told. */
export const FRONT = 4;
/** By the database's clock a timer may come a little early. */
const EARLY_MS = 1_000;

export interface SlotRequest {
  deliveryId: string;
  connectionId: string;
  pacing: Pacing;
  isWrite: boolean;
  /** It counts against the rate budget. Others wait for a block only, and if they write, behind those that wait for one. */
  isPaced: boolean;
  /** A call ends within this time, or its worker is lost. */
  callMs: number;
}

/** Both 0: the delivery may call now, and has a place until `releaseSlot`. */
export interface SlotWait {
  /** Where its slot has come and it waits for a place, the same as `wakeInMs`. */
  slotInMs: number;
  /** When it is to ask again. Later than its slot where somebody will tell it. */
  wakeInMs: number;
}

const NOW: SlotWait = { slotInMs: 0, wakeInMs: 0 };

/**
 * A delivery that asks again keeps its slot. `NOW` also where the connection is gone. Every call waits for this: where it may be made at once it
 * takes two round trips, one for all that is read and one for all that is written.
 */
export function reserveSlot(db: Database, request: SlotRequest): Promise<SlotWait> {
  const { deliveryId, connectionId, pacing, callMs } = request;
  // In this order: what those who held the lock before have written is seen by all that is read after it.
  const opening = [
    KEEP_BRIEFLY,
    lockAccount(db, { connectionId }),
    findSlot(db, { deliveryId }),
    countCalls(db, { connectionId, deliveryId }),
  ] as const;
  return transactInTrips(db, opening, async (transaction, [, [account], [own], [{ calls } = NO_CALLS]]) => {
    if (!account) return NOW;
    const { nowMs, blockedMs } = account;
    const { tx, send, commitWith } = transaction;
    if (own && isBlocked(account) && own.slotMs < blockedMs) {
      await spreadSlots(tx, account, pacing, deliveryId);
      const [[moved]] = await send(findSlot(db, { deliveryId }));
      return sleep(transaction, request, { slotMs: moved?.slotMs ?? blockedMs, arrivalMs: null }, nowMs);
    }
    const slot = own ? { slotMs: own.slotMs, arrivalMs: null } : chooseSlot(account, request);
    const { slotMs } = slot;
    const wokeEarly = own !== undefined && knowsSlot(own) && slotMs <= nowMs + EARLY_MS;
    if (slotMs > nowMs && !wokeEarly) return sleep(transaction, request, slot, nowMs);
    if (calls >= PLACES) return sleep(transaction, request, slot, nowMs);
    const call = { deliveryId, connectionId, slotMs, wakesMs: nowMs, callingUntilMs: nowMs + callMs };
    await commitWith(...moveArrival(tx, connectionId, slot), putSlot(tx, call));
    return NOW;
  });
}

const NO_CALLS = { calls: 0 };

interface ChosenSlot {
  slotMs: number;
  /** The account's next theoretical arrival, which is to be written with the slot; null where it stays. */
  arrivalMs: number | null;
}

/** GCRA: the account's next allowed moment. */
function chooseSlot(account: Account, { pacing, isPaced, isWrite }: SlotRequest): ChosenSlot {
  const { nowMs, arrivalMs, blockedMs } = account;
  const joins = isBlocked(account) || (isWrite && (isPaced || arrivalMs > nowMs));
  if (!joins) return { slotMs: nowMs, arrivalMs: null };
  const { intervalMs, burst } = pacing;
  const toleranceMs = intervalMs * (burst - 1);
  // Behind a block there is no burst: the budget is used up.
  const fromMs = Math.max(arrivalMs, nowMs, isBlocked(account) ? blockedMs + toleranceMs : 0);
  return { slotMs: Math.max(nowMs, fromMs - toleranceMs), arrivalMs: fromMs + intervalMs };
}

function moveArrival(tx: Transaction<DB>, connectionId: string, { arrivalMs }: ChosenSlot) {
  return arrivalMs === null ? [] : [setArrival(tx, { connectionId, arrivalMs })];
}

/** Until its slot if that is near in the line; else until somebody should have told it long ago. */
async function sleep(
  { tx, send, commitWith }: TripTransaction,
  { deliveryId, connectionId, callMs }: SlotRequest,
  slot: ChosenSlot,
  nowMs: number,
): Promise<SlotWait> {
  const { slotMs } = slot;
  const slotInMs = Math.max(1, Math.ceil(slotMs - nowMs));
  const [[{ ahead } = NONE_AHEAD]] = await send(countAhead(tx, { connectionId, deliveryId, slotMs }));
  const isTold = slotMs <= nowMs || ahead >= FRONT;
  // Without anybody who tells it, each place may be held for a whole call.
  const wakeInMs = isTold ? 2 * slotInMs + callMs * (1 + Math.floor(ahead / PLACES)) : slotInMs;
  const wait = { deliveryId, connectionId, slotMs, wakesMs: nowMs + wakeInMs, callingUntilMs: null };
  await commitWith(...moveArrival(tx, connectionId, slot), putSlot(tx, wait));
  return { slotInMs: slotMs > nowMs ? slotInMs : wakeInMs, wakeInMs };
}

const NONE_AHEAD = { ahead: 0 };

/**
 * Blocks the whole account for at least `forMs`; waiting deliveries keep their order. Returns the
 * end in epoch milliseconds, or null if the connection no longer exists.
 */
export async function blockConnection(
  db: Database | Transaction<DB>,
  connectionId: string,
  forMs: number,
): Promise<number | null> {
  const until = sql`clock_timestamp() + make_interval(secs => ${forMs / 1000})`;
  const { rows } = await sql<{ blockedMs: number }>`
    update connections set blocked_until = greatest(blocked_until, ${until}), arrival_at = greatest(arrival_at, ${until})
    where id = ${connectionId} returning ${countMs(sql`blocked_until`)} as blocked_ms`.execute(db);
  return rows[0]?.blockedMs ?? null;
}
