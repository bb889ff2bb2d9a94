/**
 * The rate budget of an account: GCRA over its row in `connections`. A delivery that has to wait stores its slot
 * in its own row, sleeps until then and asks again. All times are the database's, in epoch milliseconds.
 */
import { CompiledQuery, sql, type Transaction } from 'kysely';
import { computePause } from '../../delivery/retry-state.ts';
import type { Database } from '../db/database.ts';
import { prepareOnce, runPrepared } from '../db/prepared.ts';
import { type TripTransaction, transactInTrips } from '../db/trips.ts';
import type { DB } from '../db/types.ts';

/** A platform's pace: a write every `intervalMs`, with `burst` of them at once. */
export interface Pacing {
  intervalMs: number;
  burst: number;
}

/** An account's budget as one delivery finds it. */
export interface RateBudget {
  nowMs: number;
  /** GCRA: the theoretical arrival time of the next write. */
  arrivalMs: number;
  /** 0 where the account was never blocked. */
  blockedMs: number;
  /** 429s in a row. */
  refusals: number;
  /** Null where the delivery has no slot in this budget. */
  slotMs: number | null;
}

/** For a query on `deliveries` and `connections`. */
export const RATE_BUDGET = sql<RateBudget>`jsonb_build_object('nowMs', ${epochMs('clock_timestamp()')},
  'arrivalMs', ${epochMs('connections.arrival_at')}, 'blockedMs', coalesce(${epochMs('connections.blocked_until')}, 0),
  'refusals', connections.refusals,
  'slotMs', case when deliveries.slot_connection_id = connections.id then ${epochMs('deliveries.slot_at')} end)`;

export const NO_SLOT = { slotAt: null, slotConnectionId: null } as const;

export interface SlotKey {
  deliveryId: string;
  connectionId: string;
  /** Where another account is connected by now, nothing is reserved or blocked. */
  accountId: string;
}

interface PacedWrite {
  pacing: Pacing;
  /** False: waits only for a block, and behind deliveries that wait for one. */
  isPaced: boolean;
}

/** Pure. `arrivalMs` is the account's after this write; null where it stays. */
export function chooseSlot(
  { nowMs, arrivalMs, blockedMs }: Omit<RateBudget, 'slotMs' | 'refusals'>,
  { pacing: { intervalMs, burst }, isPaced }: PacedWrite,
): { slotMs: number; arrivalMs: number | null } {
  const isBlocked = blockedMs > nowMs;
  if (!isPaced && !isBlocked && arrivalMs <= nowMs) return { slotMs: nowMs, arrivalMs: null };
  const toleranceMs = intervalMs * (burst - 1);
  // Behind a block there is no burst: the budget is used up.
  const fromMs = Math.max(arrivalMs, nowMs, isBlocked ? blockedMs + toleranceMs : 0);
  return { slotMs: Math.max(nowMs, fromMs - toleranceMs), arrivalMs: fromMs + intervalMs };
}

/** Slots that were missed by more than this, because no worker ran, are spaced again from now. */
const MAX_LATE_MS = 10_000;

/** When the first of those that have missed their slots may call; null where `slotMs` holds. */
function findNewStart({ slotMs, blockedMs, nowMs }: RateBudget): number | null {
  if (slotMs === null) return null;
  if (blockedMs > nowMs) return slotMs < blockedMs ? blockedMs : null;
  return slotMs < nowMs - MAX_LATE_MS ? nowMs : null;
}

/**
 * Returns the milliseconds until the delivery may call; 0 is now. An existing slot is kept. `seen` is the budget that
 * the plan has read: with it, a call that may be made at once costs one round trip, or none.
 */
export async function reserveSlot(db: Database, request: SlotKey & PacedWrite, seen: RateBudget): Promise<number> {
  const { deliveryId, connectionId, pacing } = request;
  if (seen.slotMs !== null) {
    if (seen.slotMs <= seen.nowMs && findNewStart(seen) === null) return 0;
  } else {
    const { slotMs, arrivalMs } = chooseSlot(seen, request);
    if (slotMs <= seen.nowMs) {
      if (arrivalMs === null) return 0;
      const taken = takeNow(db, { connectionId, seenMs: seen.arrivalMs, arrivalMs });
      if ((await runPrepared(db, taken)).rows.length > 0) return 0;
    }
  }
  const waitMs = await withBudget(db, request, async (budget, { tx, commitWith }) => {
    const { nowMs } = budget;
    const startMs = findNewStart(budget);
    if (startMs !== null) await moveLine(tx, { deliveryId, connectionId, startMs, pacing });
    const own = startMs ?? budget.slotMs;
    if (own !== null) return own - nowMs;
    const { slotMs, arrivalMs } = chooseSlot(budget, request);
    await commitWith(
      ...(arrivalMs === null ? [] : [setArrival(tx, { connectionId, arrivalMs })]),
      ...(slotMs > nowMs ? [putSlot(tx, { deliveryId, connectionId, slotMs })] : []),
    );
    return slotMs - nowMs;
  });
  return Math.max(0, Math.ceil(waitMs ?? 0));
}

/** 429s that arrive within this time after each other count as one block. */
const SAME_BLOCK_MS = 1_000;
/** A shorter `Retry-After` counts as none. */
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

/**
 * After a 429: blocks the account, and the delivery gets the first slot behind the block. Returns the milliseconds
 * until then; null where another account is connected. Run twice it changes nothing.
 */
export function blockAndReserve(db: Database, key: SlotKey, refusal: Refusal): Promise<number | null> {
  const { deliveryId, connectionId } = key;
  return withBudget(db, key, async (budget, { tx, send }) => {
    const { nowMs, slotMs } = budget;
    const blockedMs = await block(tx, connectionId, budget, refusal);
    const startMs = Math.max(nowMs, blockedMs, slotMs ?? 0);
    if (slotMs === null) await send(putSlot(tx, { deliveryId, connectionId, slotMs: nowMs }));
    await moveLine(tx, { deliveryId, connectionId, startMs, pacing: refusal.pacing });
    return Math.ceil(startMs - nowMs);
  });
}

async function block(
  tx: Transaction<DB>,
  connectionId: string,
  { nowMs, blockedMs, refusals }: RateBudget,
  { forMs, answeredForMs, calledForMs }: Refusal,
): Promise<number> {
  // Those that were calling when the block came have not asked again, however short it was.
  const isNew = answeredForMs === 0 && nowMs - calledForMs >= blockedMs;
  const askedMs = forMs >= NO_TIME_MS || refusals === 0 || !isNew ? forMs : Math.max(forMs, computePause(refusals));
  // An answer of a while ago may be counted among the refusals already.
  const lengthMs = answeredForMs === 0 ? askedMs : Math.max(0, forMs - answeredForMs);
  const laterMs = nowMs + lengthMs - Math.max(blockedMs, nowMs);
  if (blockedMs > nowMs && laterMs <= SAME_BLOCK_MS) return blockedMs;
  if (isNew) await sql`update connections set refusals = refusals + 1 where id = ${connectionId}`.execute(tx);
  return (await blockConnection(tx, connectionId, lengthMs)) ?? blockedMs;
}

/**
 * Blocks the whole account for at least `forMs`. Those that wait are moved by the first of them that wakes. Returns
 * the end of the block; null where the connection is gone.
 */
export async function blockConnection(db: Database, connectionId: string, forMs: number): Promise<number | null> {
  const until = sql`clock_timestamp() + make_interval(secs => ${forMs / 1000})`;
  const { rows } = await sql<{ blockedMs: number }>`update connections
    set blocked_until = greatest(blocked_until, ${until}), arrival_at = greatest(arrival_at, ${until})
    where id = ${connectionId} returning ${epochMs('blocked_until')}::float8 as blocked_ms`.execute(db);
  return rows[0]?.blockedMs ?? null;
}

/** Nothing is to be sent any more. */
export async function freeSlot(db: Database, deliveryId: string): Promise<void> {
  await db.updateTable('deliveries').set(NO_SLOT).where('id', '=', deliveryId).execute();
}

/** After a call that was not refused. */
export async function forgetRefusals(db: Database, connectionId: string): Promise<void> {
  await db.updateTable('connections').set({ refusals: 0 }).where('id', '=', connectionId).execute();
}

interface MovedLine {
  deliveryId: string;
  connectionId: string;
  startMs: number;
  pacing: Pacing;
}

/** The delivery's slot and those behind it come no sooner than `startMs`, in their order, an interval apart. */
async function moveLine(tx: Transaction<DB>, { deliveryId, connectionId, startMs, pacing }: MovedLine): Promise<void> {
  const interval = sql`make_interval(secs => ${pacing.intervalMs / 1000}::float8)`;
  await sql`
    with line as (
      select id, greatest(slot_at, ${atMs(startMs)} + (row_number() over (order by slot_at, id) - 1) * ${interval}) as slot_at
      from deliveries where slot_connection_id = ${connectionId}
        and (slot_at, id) >= (select slot_at, id from deliveries where id = ${deliveryId})
    ), moved as (
      update deliveries d set slot_at = line.slot_at, due_at = line.slot_at
      from line where d.id = line.id and d.slot_at < line.slot_at
    )
    update connections set arrival_at = greatest(arrival_at, (select max(slot_at) from line) + ${pacing.burst}::int * ${interval})
    where id = ${connectionId}`.execute(tx);
}

/** Locks the account's row; null where another account is connected by then. */
function withBudget<T>(
  db: Database,
  { deliveryId, connectionId, accountId }: SlotKey,
  work: (budget: RateBudget, transaction: TripTransaction) => Promise<T>,
): Promise<T | null> {
  const opening = [
    // A slot that a crash of the database loses is reserved again, which is not worth the wait for its disk.
    CompiledQuery.raw('set local synchronous_commit = off'),
    lockBudget(db, { connectionId, accountId }),
    // A statement of its own: it sees what those that held the lock before have written.
    readBudget(db, { connectionId, deliveryId }),
  ] as const;
  return transactInTrips(db, opening, async (transaction, [, [locked], [row]]) =>
    locked && row ? work(row.budget, transaction) : null,
  );
}

const lockBudget = prepareOnce('lock_budget', (db, { connectionId, accountId }: Omit<SlotKey, 'deliveryId'>) =>
  sql<{ id: string }>`select id from connections where id = ${connectionId} and account_id = ${accountId}
    for no key update`.compile(db),
);

const readBudget = prepareOnce('read_budget', (db, { connectionId, deliveryId }: Omit<SlotKey, 'accountId'>) =>
  sql<{ budget: RateBudget }>`select ${RATE_BUDGET} as budget from connections
    join deliveries on deliveries.id = ${deliveryId} where connections.id = ${connectionId}`.compile(db),
);

/** Only if nobody has written or blocked since; half a millisecond is more than the rounding of a time. */
const takeNow = prepareOnce(
  'take_now',
  (db, { connectionId, seenMs, arrivalMs }: { connectionId: string; seenMs: number; arrivalMs: number }) =>
    sql<{ id: string }>`update connections set arrival_at = ${atMs(arrivalMs)} where id = ${connectionId}
      and arrival_at < ${atMs(seenMs)} + interval '0.5 ms'
      and (blocked_until is null or blocked_until <= clock_timestamp()) returning id`.compile(db),
);

const setArrival = prepareOnce(
  'set_arrival',
  (db, { connectionId, arrivalMs }: { connectionId: string; arrivalMs: number }) =>
    sql`update connections set arrival_at = ${atMs(arrivalMs)} where id = ${connectionId}`.compile(db),
);

const putSlot = prepareOnce(
  'put_slot',
  (db, { deliveryId, connectionId, slotMs }: Omit<SlotKey, 'accountId'> & { slotMs: number }) =>
    sql`update deliveries set slot_connection_id = ${connectionId}, slot_at = ${atMs(slotMs)},
      due_at = ${atMs(slotMs)} where id = ${deliveryId}`.compile(db),
);

function epochMs(time: string) {
  return sql`(extract(epoch from ${sql.raw(time)}) * 1000)`;
}

function atMs(ms: number) {
  return sql<Date>`to_timestamp(${ms}::float8 / 1000)`;
}
