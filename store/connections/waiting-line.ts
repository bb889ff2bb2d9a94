/** The rows of the deliveries that wait for one account or call it, read and moved under the lock of the account's row. */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { prepareOnce } from '../db/prepared.ts';
import type { DB } from '../db/types.ts';
import { type Account, atMs, countMs, type Pacing, setArrival } from './account-pace.ts';

export interface Slot {
  connectionId: string;
  slotMs: number;
  /** When its workflow looks again by itself, as it was last told. */
  wakesMs: number;
}

/** Whether its workflow will look when its slot comes, and not much earlier or later. */
export function knowsSlot({ slotMs, wakesMs }: Pick<Slot, 'slotMs' | 'wakesMs'>): boolean {
  return Math.abs(wakesMs - slotMs) < NEAR_MS;
}

/** More than a timer's jitter; the time between two slots of a platform that is not slow. */
const NEAR_MS = 250;

export const findSlot = prepareOnce('find_slot', (db, { deliveryId }: { deliveryId: string }) =>
  sql<Slot>`
    select connection_id, ${countMs(sql`slot_at`)} as slot_ms, ${countMs(sql`wakes_at`)} as wakes_ms
    from rate_slots where delivery_id = ${deliveryId}`.compile(db),
);

export const putSlot = prepareOnce(
  'put_slot',
  (db, slot: Slot & { deliveryId: string; callingUntilMs: number | null }) =>
    db
      .insertInto('rateSlots')
      .values({
        deliveryId: slot.deliveryId,
        connectionId: slot.connectionId,
        slotAt: atMs(slot.slotMs),
        wakesAt: atMs(slot.wakesMs),
        callingUntil: atMs(slot.callingUntilMs),
      })
      .onConflict((conflict) =>
        conflict.column('deliveryId').doUpdateSet((eb) => ({
          connectionId: eb.ref('excluded.connectionId'),
          slotAt: eb.ref('excluded.slotAt'),
          wakesAt: eb.ref('excluded.wakesAt'),
          callingUntil: eb.ref('excluded.callingUntil'),
        })),
      )
      .compile(),
);

/** How many deliveries call over the connection now, beside this one. */
export const countCalls = prepareOnce(
  'count_calls',
  (db, { connectionId, deliveryId }: { connectionId: string; deliveryId: string }) =>
    buildCallCount(sql`${connectionId}`, deliveryId).compile(db),
);

/** As `countCalls`, for a statement that knows the connection by one of its own columns. */
export function buildCallCount(connectionId: RawBuilder<unknown>, deliveryId: string) {
  return sql<{ calls: number }>`
    select count(*)::int as calls from rate_slots
    where connection_id = ${connectionId} and calling_until > clock_timestamp() and delivery_id <> ${deliveryId}`;
}

/** How many of those that wait come before this one. */
export const countAhead = prepareOnce(
  'count_ahead',
  (db, { connectionId, deliveryId, slotMs }: Pick<Slot, 'connectionId' | 'slotMs'> & { deliveryId: string }) =>
    sql<{ ahead: number }>`
      select count(*)::int as ahead from rate_slots where connection_id = ${connectionId} and ${IS_WAITING}
        and delivery_id <> ${deliveryId} and slot_at < ${atMs(slotMs)}`.compile(db),
);

/**
 * Moves those that wait behind the block: the first of them to its end, each other one an interval after the one before it, in their order.
 * New slots follow the last. Of those that call only `deliveryId` is moved. Done twice it changes nothing.
 */
export async function spreadSlots(
  tx: Transaction<DB>,
  { connectionId, arrivalMs, blockedMs }: Account,
  { intervalMs, burst }: Pacing,
  deliveryId: string | null,
): Promise<void> {
  const seconds = intervalMs / 1000;
  const { rows } = await sql<{ lastMs: number | null }>`
    with waiting as (
      select delivery_id,
        greatest(slot_at, ${atMs(blockedMs)} + (row_number() over (order by slot_at, delivery_id) - 1) * make_interval(secs => ${seconds})) as slot_at
      from rate_slots where connection_id = ${connectionId} and (${IS_WAITING} or delivery_id = ${deliveryId}::uuid)
    ), moved as (
      update rate_slots s set slot_at = w.slot_at from waiting w where s.delivery_id = w.delivery_id and s.slot_at < w.slot_at
      returning s.delivery_id, s.slot_at
    ), shown as (
      update deliveries d set next_attempt_at = m.slot_at from moved m where d.id = m.delivery_id and d.next_attempt_at is not null
    )
    select ${countMs(sql`max(slot_at)`)} as last_ms from waiting`.execute(tx);
  const lastMs = rows[0]?.lastMs;
  if (lastMs == null) return;
  const movedMs = Math.max(arrivalMs, lastMs + intervalMs * burst);
  await tx.executeQuery(setArrival(tx, { connectionId, arrivalMs: movedMs }));
}

export const IS_WAITING = sql<boolean>`(calling_until is null or calling_until <= clock_timestamp())`;
