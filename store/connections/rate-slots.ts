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
import type { DB } from '../db/types.ts';
import { type Account, isBlocked, keepBriefly, lockAccount, type Pacing, setArrival } from './account-pace.ts';
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

/** A delivery that asks again keeps its slot. `NOW` also where the connection is gone. */
export function reserveSlot(db: Database, request: SlotRequest): Promise<SlotWait> {
  return db.transaction().execute(async (tx) => {
    await keepBriefly(tx);
    const account = await lockAccount(tx, request.connectionId);
    if (!account) return NOW;
    const { deliveryId, connectionId, pacing, callMs } = request;
    const { nowMs, blockedMs } = account;
    const own = await findSlot(tx, deliveryId);
    if (own && isBlocked(account) && own.slotMs < blockedMs) {
      await spreadSlots(tx, account, pacing, deliveryId);
      return sleep(tx, request, (await findSlot(tx, deliveryId))?.slotMs ?? blockedMs, nowMs);
    }
    const slotMs = own?.slotMs ?? (await takeSlot(tx, account, request));
    const wokeEarly = own !== null && knowsSlot(own) && slotMs <= nowMs + EARLY_MS;
    if (slotMs > nowMs && !wokeEarly) return sleep(tx, request, slotMs, nowMs);
    if ((await countCalls(tx, connectionId, deliveryId)) >= PLACES) return sleep(tx, request, slotMs, nowMs);
    await putSlot(tx, { deliveryId, connectionId, slotMs, wakesMs: nowMs, callingUntilMs: nowMs + callMs });
    return NOW;
  });
}

/** GCRA: the account's next allowed moment, which is taken with that. */
async function takeSlot(
  tx: Transaction<DB>,
  account: Account,
  { connectionId, pacing, isPaced, isWrite }: SlotRequest,
): Promise<number> {
  const { nowMs, arrivalMs, blockedMs } = account;
  const joins = isBlocked(account) || (isWrite && (isPaced || arrivalMs > nowMs));
  if (!joins) return nowMs;
  const { intervalMs, burst } = pacing;
  const toleranceMs = intervalMs * (burst - 1);
  // Behind a block there is no burst: the budget is used up.
  const fromMs = Math.max(arrivalMs, nowMs, isBlocked(account) ? blockedMs + toleranceMs : 0);
  await setArrival(tx, connectionId, fromMs + intervalMs);
  return Math.max(nowMs, fromMs - toleranceMs);
}

/** Until its slot if that is near in the line; else until somebody should have told it long ago. */
async function sleep(
  tx: Transaction<DB>,
  { deliveryId, connectionId, callMs }: SlotRequest,
  slotMs: number,
  nowMs: number,
): Promise<SlotWait> {
  const slotInMs = Math.max(1, Math.ceil(slotMs - nowMs));
  const ahead = await countAhead(tx, connectionId, { deliveryId, slotMs });
  const isTold = slotMs <= nowMs || ahead >= FRONT;
  // Without anybody who tells it, each place may be held for a whole call.
  const wakeInMs = isTold ? 2 * slotInMs + callMs * (1 + Math.floor(ahead / PLACES)) : slotInMs;
  await putSlot(tx, { deliveryId, connectionId, slotMs, wakesMs: nowMs + wakeInMs, callingUntilMs: null });
  return { slotInMs: slotMs > nowMs ? slotInMs : wakeInMs, wakeInMs };
}

/** A block applies to the whole account, for `forMs` at least. Those that wait keep their order. */
export async function blockConnection(
  db: Database | Transaction<DB>,
  connectionId: string,
  forMs: number,
): Promise<void> {
  const until = sql`clock_timestamp() + make_interval(secs => ${forMs / 1000})`;
  await sql`update connections set blocked_until = greatest(blocked_until, ${until}), arrival_at = greatest(arrival_at, ${until})
    where id = ${connectionId}`.execute(db);
}
