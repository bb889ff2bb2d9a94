/** Which deliveries are woken when a call has ended: the first of those that wait for the account. */
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import { prepareOnce } from '../db/prepared.ts';
import type { DB } from '../db/types.ts';
import { type Account, atMs, countMs } from './account-pace.ts';
import { FRONT, PLACES } from './rate-slots.ts';
import { buildCallCount, IS_WAITING, knowsSlot } from './waiting-line.ts';

/** A delivery whose workflow is to be told that its slot comes in so many milliseconds; 0 is now, with a place of its own. */
export interface NextInLine {
  deliveryId: string;
  articleId: string;
  destination: DestinationKey;
  afterMs: number;
}

/** One whose slot has come asks for its place within this time. */
const ON_ITS_WAY_MS = 10_000;
/** How long a place is kept for a delivery that was woken for it. */
const HAND_OVER_MS = 20_000;

/** One that waits, with the line in which it does. */
type Waiting = LineFacts & Omit<NextInLine, 'afterMs'> & { slotMs: number; wakesMs: number };

interface LineFacts {
  connectionId: string;
  /** How many call, beside the one whose call ends. */
  calls: number;
}

/** The line in which the delivery has its slot, from its front, with the delivery itself even while it calls. No row without that slot. */
export const readLineOfSlot = prepareOnce('read_line_of_slot', (db, { deliveryId }: { deliveryId: string }) =>
  buildLine(sql`(select connection_id from rate_slots where delivery_id = ${deliveryId})`, deliveryId).compile(db),
);

export const readLine = prepareOnce(
  'read_line',
  (db, { connectionId, deliveryId }: { connectionId: string; deliveryId: string }) =>
    buildLine(sql`(select ${connectionId}::uuid as connection_id)`, deliveryId).compile(db),
);

/** A row even where nobody waits. */
function buildLine(connection: RawBuilder<unknown>, deliveryId: string) {
  return sql<Waiting | (LineFacts & { deliveryId: null })>`
    select line.connection_id, line.calls, s.delivery_id, d.article_id, d.destination,
      ${countMs(sql`s.slot_at`)} as slot_ms, ${countMs(sql`s.wakes_at`)} as wakes_ms
    from (select c.connection_id, (${buildCallCount(sql`c.connection_id`, deliveryId)}) as calls from ${connection} c) line
    left join lateral (
      select delivery_id, slot_at, wakes_at from rate_slots
      where connection_id = line.connection_id and (${IS_WAITING} or delivery_id = ${deliveryId})
      order by slot_at, delivery_id limit ${sql.lit(PLACES + 1)}
    ) s on true
    left join deliveries d on d.id = s.delivery_id
    order by s.slot_at, s.delivery_id`;
}

interface Wake {
  next: NextInLine;
  wakesMs: number;
  /** Null: it has no place yet. */
  callingUntilMs: number | null;
}

/** The first in line get the free places, if their slots have come, or learn when these come. Most know that already. */
export function chooseNext(
  line: (Waiting | { deliveryId: null })[],
  { nowMs }: Account,
  exceptDeliveryId: string | null,
): Wake[] {
  const front = listFront(line, exceptDeliveryId);
  let places = PLACES - (front[0]?.calls ?? 0);
  const wakes: Wake[] = [];
  for (const [index, { deliveryId, articleId, destination, slotMs, wakesMs }] of front.entries()) {
    const isDue = slotMs <= nowMs;
    // One whose slot has just come is on its way by itself.
    if (knowsSlot({ slotMs, wakesMs }) && slotMs > nowMs - ON_ITS_WAY_MS) continue;
    if (isDue ? places-- <= 0 : index >= FRONT) continue;
    const next = { deliveryId, articleId, destination, afterMs: isDue ? 0 : Math.ceil(slotMs - nowMs) };
    wakes.push(
      isDue
        ? { next, wakesMs: nowMs, callingUntilMs: nowMs + HAND_OVER_MS }
        : { next, wakesMs: slotMs, callingUntilMs: null },
    );
  }
  return wakes;
}

function listFront(line: (Waiting | { deliveryId: null })[], exceptDeliveryId: string | null): Waiting[] {
  return line
    .filter((row): row is Waiting => row.deliveryId !== null && row.deliveryId !== exceptDeliveryId)
    .slice(0, PLACES);
}

/** One statement however many are woken; none where nobody is. */
export function writeWakes(tx: Transaction<DB>, wakes: Wake[]) {
  if (wakes.length === 0) return [];
  const deliveryIds = wakes.map(({ next }) => next.deliveryId);
  const wakesMs = wakes.map((wake) => wake.wakesMs);
  const callingUntilMs = wakes.map((wake) => wake.callingUntilMs);
  return [wakeSlots(tx, { deliveryIds, wakesMs, callingUntilMs })];
}

const wakeSlots = prepareOnce(
  'wake_slots',
  (db, rows: { deliveryIds: string[]; wakesMs: Wake['wakesMs'][]; callingUntilMs: Wake['callingUntilMs'][] }) =>
    sql`
      update rate_slots s set wakes_at = ${atMs(sql`w.wakes_ms`)},
        calling_until = coalesce(${atMs(sql`w.calling_until_ms`)}, s.calling_until)
      from unnest(${rows.deliveryIds}::uuid[], ${rows.wakesMs}::float8[], ${rows.callingUntilMs}::float8[])
        as w (delivery_id, wakes_ms, calling_until_ms)
      where s.delivery_id = w.delivery_id`.compile(db),
);
