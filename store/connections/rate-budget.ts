/**
 * The rate budget of an account: GCRA over its row in `connections`. A delivery that must wait
 * stores its slot in its own row, sleeps and reserves again. Times: database clock, epoch
 * milliseconds.
 */
import { CompiledQuery, sql, type Transaction } from 'kysely';
import { computePause } from '../../delivery/retry-state.ts';
import type { Database } from '../db/database.ts';
import { prepareOnce, runPrepared } from '../db/prepared.ts';
import { type TripTransaction, transactInTrips } from '../db/trips.ts';
import type { DB } from '../db/types.ts';

/** A platform's rate limit: one write per `intervalMs`, up to `burst` at once. */
export interface Pacing {
  intervalMs: number;
  burst: number;
}

/** An account's budget, as read for one delivery. */
export interface RateBudget {
  nowMs: number;
  /** GCRA: the theoretical arrival time of the next write. */
  arrivalMs: number;
  /** 0 if the account was never blocked. */
  blockedMs: number;
  /** Consecutive 429s. */
  refusals: number;
  /** Null if the delivery has no slot in this budget. */
  slotMs: number | null;
}

/** A column for queries on `deliveries` and `connections`. */
export const RATE_BUDGET = sql<RateBudget>`jsonb_build_object('nowMs', ${epochMs('clock_timestamp()')},
  'arrivalMs', ${epochMs('connections.arrival_at')}, 'blockedMs', coalesce(${epochMs('connections.blocked_until')}, 0),
  'refusals', connections.refusals,
  'slotMs', case when deliveries.slot_connection_id = connections.id then ${epochMs('deliveries.slot_at')} end)`;

export const NO_SLOT = { slotAt: null, slotConnectionId: null } as const;

export interface SlotKey {
  deliveryId: string;
  connectionId: string;
  /** If another account is connected, nothing is reserved or blocked. */
  accountId: string;
}

interface PacedWrite {
  pacing: Pacing;
  /** False: waits only for a block, and for deliveries that wait for one. */
  isPaced: boolean;
}

/** Pure. `arrivalMs`: the account's arrival time after this write; null if unchanged. */
export function chooseSlot(
  { nowMs, arrivalMs, blockedMs }: Omit<RateBudget, 'slotMs' | 'refusals'>,
  { pacing: { intervalMs, burst }, isPaced }: PacedWrite,
): { slotMs: number; arrivalMs: number | null } {
  const isBlocked = blockedMs > nowMs;
  if (!isPaced && !isBlocked && arrivalMs <= nowMs) return { slotMs: nowMs, arrivalMs: null };
  const toleranceMs = intervalMs * (burst - 1);
  // No burst after a block: the budget is used up.
  const fromMs = Math.max(arrivalMs, nowMs, isBlocked ? blockedMs + toleranceMs : 0);
  return { slotMs: Math.max(nowMs, fromMs - toleranceMs), arrivalMs: fromMs + intervalMs };
}

/** Slots missed by more than this, because no worker ran, are spaced again from now. */
const MAX_LATE_MS = 10_000;

/** The new time of the first missed slot; null if `slotMs` is still valid. */
function findNewStart({ slotMs, blockedMs, nowMs }: RateBudget): number | null {
  if (slotMs === null) return null;
  if (blockedMs > nowMs) return slotMs < blockedMs ? blockedMs : null;
  return slotMs < nowMs - MAX_LATE_MS ? nowMs : null;
}

/**
 * Returns the milliseconds until the delivery may call; 0 is now. Preserves an existing slot.
 * `known`: the budget read by the plan, with which an immediate call costs at most one round trip.
 */
export async function reserveSlot(db: Database, request: SlotKey & PacedWrite, known: RateBudget): Promise<number> {
  const { deliveryId, connectionId, pacing } = request;
  if (known.slotMs !== null) {
    if (known.slotMs <= known.nowMs && findNewStart(known) === null) return 0;
  } else {
    const { slotMs, arrivalMs } = chooseSlot(known, request);
    if (slotMs <= known.nowMs) {
      if (arrivalMs === null) return 0;
      const claim = claimNow(db, { connectionId, seenMs: known.arrivalMs, arrivalMs });
      if ((await runPrepared(db, claim)).rows.length > 0) return 0;
    }
  }
  const waitMs = await withBudget(db, request, async (budget, { tx, commitWith }) => {
    const { nowMs } = budget;
    const startMs = findNewStart(budget);
    if (startMs !== null) await moveSlots(tx, { deliveryId, connectionId, startMs, pacing });
    const reservedMs = startMs ?? budget.slotMs;
    if (reservedMs !== null) return reservedMs - nowMs;
    const { slotMs, arrivalMs } = chooseSlot(budget, request);
    await commitWith(
      ...(arrivalMs === null ? [] : [setArrival(tx, { connectionId, arrivalMs })]),
      ...(slotMs > nowMs ? [putSlot(tx, { deliveryId, connectionId, slotMs })] : []),
    );
    return slotMs - nowMs;
  });
  return Math.max(0, Math.ceil(waitMs ?? 0));
}

/** 429s that arrive within this time of each other count as one block. */
const SAME_BLOCK_MS = 1_000;
/** A shorter `Retry-After` counts as none. */
const MIN_RETRY_AFTER_MS = 2_000;

export interface RateLimitRefusal {
  /** The destination's `Retry-After`. */
  forMs: number;
  /** Milliseconds since the answer; 0 for a new one. */
  answeredMsAgo: number;
  /** Milliseconds since the call started. */
  calledMsAgo: number;
  pacing: Pacing;
}

/**
 * After a 429: blocks the account and reserves the first slot after the block for the delivery.
 * Returns the milliseconds until then; null if another account is connected. Idempotent.
 */
export function blockAndReserve(db: Database, key: SlotKey, refusal: RateLimitRefusal): Promise<number | null> {
  const { deliveryId, connectionId } = key;
  return withBudget(db, key, async (budget, { tx, send }) => {
    const { nowMs, slotMs } = budget;
    const blockedMs = await block(tx, connectionId, budget, refusal);
    const startMs = Math.max(nowMs, blockedMs, slotMs ?? 0);
    if (slotMs === null) await send(putSlot(tx, { deliveryId, connectionId, slotMs: nowMs }));
    await moveSlots(tx, { deliveryId, connectionId, startMs, pacing: refusal.pacing });
    return Math.ceil(startMs - nowMs);
  });
}

async function block(
  tx: Transaction<DB>,
  connectionId: string,
  { nowMs, blockedMs, refusals }: RateBudget,
  { forMs, answeredMsAgo, calledMsAgo }: RateLimitRefusal,
): Promise<number> {
  // A call that started before the end of the last block is not a new refusal.
  const isNew = answeredMsAgo === 0 && nowMs - calledMsAgo >= blockedMs;
  const backOffMs =
    forMs >= MIN_RETRY_AFTER_MS || refusals === 0 || !isNew ? forMs : Math.max(forMs, computePause(refusals));
  // An earlier answer may already be counted in `refusals`.
  const lengthMs = answeredMsAgo === 0 ? backOffMs : Math.max(0, forMs - answeredMsAgo);
  const laterMs = nowMs + lengthMs - Math.max(blockedMs, nowMs);
  if (blockedMs > nowMs && laterMs <= SAME_BLOCK_MS) return blockedMs;
  if (isNew) await sql`update connections set refusals = refusals + 1 where id = ${connectionId}`.execute(tx);
  return (await blockConnection(tx, connectionId, lengthMs)) ?? blockedMs;
}

/**
 * Blocks the whole account for at least `forMs`. The first waiting delivery that wakes moves all
 * slots. Returns the end of the block; null if the connection was deleted.
 */
export async function blockConnection(db: Database, connectionId: string, forMs: number): Promise<number | null> {
  const until = sql`clock_timestamp() + make_interval(secs => ${forMs / 1000})`;
  const { rows } = await sql<{ blockedMs: number }>`update connections
    set blocked_until = greatest(blocked_until, ${until}), arrival_at = greatest(arrival_at, ${until})
    where id = ${connectionId} returning ${epochMs('blocked_until')}::float8 as blocked_ms`.execute(db);
  return rows[0]?.blockedMs ?? null;
}

export async function freeSlot(db: Database, deliveryId: string): Promise<void> {
  await db.updateTable('deliveries').set(NO_SLOT).where('id', '=', deliveryId).execute();
}

/** Resets the back-off after a call without a 429. */
export async function resetRefusals(db: Database, connectionId: string): Promise<void> {
  await db.updateTable('connections').set({ refusals: 0 }).where('id', '=', connectionId).execute();
}

interface SlotMove {
  deliveryId: string;
  connectionId: string;
  startMs: number;
  pacing: Pacing;
}

/** Moves the delivery's slot and all later ones to `startMs` or later, an interval apart. */
async function moveSlots(tx: Transaction<DB>, { deliveryId, connectionId, startMs, pacing }: SlotMove): Promise<void> {
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

/** Locks the account's row; returns null if another account is connected. */
function withBudget<T>(
  db: Database,
  { deliveryId, connectionId, accountId }: SlotKey,
  work: (budget: RateBudget, transaction: TripTransaction) => Promise<T>,
): Promise<T | null> {
  const opening = [
    // A slot lost in a database crash is reserved again, so the commit need not wait for the disk.
    CompiledQuery.raw('set local synchronous_commit = off'),
    lockBudget(db, { connectionId, accountId }),
    // A separate statement, so that it sees the writes of former lock holders.
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

/** Only if there was no write or block since the read; 0.5 ms exceeds the rounding of a time. */
const claimNow = prepareOnce(
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
