/** The end of a call: its place goes to the next in line, who is to be woken. */
import { sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { type Account, atMs, countMs, isBlocked, keepBriefly, lockAccount, type Pacing } from './account-pace.ts';
import { FRONT, PLACES } from './rate-slots.ts';
import { countCalls, findSlot, IS_WAITING, knowsSlot, spreadSlots } from './waiting-line.ts';

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

/** How the call ended: answered; otherwise; or not at all, and the delivery waits for its slot again. */
export type CallEnd = 'answered' | 'over' | 'waits';

/** Without a slot this does nothing. */
export function releaseSlot(
  db: Database,
  deliveryId: string,
  { end, findPacing }: { end: CallEnd; findPacing: (platform: string) => Pacing },
): Promise<NextInLine[]> {
  return db.transaction().execute(async (tx) => {
    await keepBriefly(tx);
    const own = await findSlot(tx, deliveryId);
    const account = own && (await lockAccount(tx, own.connectionId));
    if (!account) return [];
    if (end === 'waits')
      await tx.updateTable('rateSlots').set({ callingUntil: null }).where('deliveryId', '=', deliveryId).execute();
    else await tx.deleteFrom('rateSlots').where('deliveryId', '=', deliveryId).execute();
    if (end === 'answered' && account.refusals > 0) await forgetRefusals(tx, account);
    if (isBlocked(account)) await spreadSlots(tx, account, findPacing(account.platform), null);
    return tellNext(tx, account);
  });
}

async function forgetRefusals(tx: Transaction<DB>, { connectionId }: Account): Promise<void> {
  await tx.updateTable('connections').set({ refusals: 0 }).where('id', '=', connectionId).execute();
}

/** The first in line get the free places, if their slots have come, or learn when these come. Most know that already. */
async function tellNext(tx: Transaction<DB>, { connectionId, nowMs }: Account): Promise<NextInLine[]> {
  const line = await listFront(tx, connectionId);
  if (line.length === 0) return [];
  let places = PLACES - (await countCalls(tx, connectionId, null));
  const told: NextInLine[] = [];
  for (const [index, { slotMs, wakesMs, ...next }] of line.entries()) {
    const isDue = slotMs <= nowMs;
    // One whose slot has just come is on its way by itself.
    if (knowsSlot({ slotMs, wakesMs }) && slotMs > nowMs - ON_ITS_WAY_MS) continue;
    if (isDue ? places-- <= 0 : index >= FRONT) continue;
    await tx
      .updateTable('rateSlots')
      .set(isDue ? { wakesAt: atMs(nowMs), callingUntil: atMs(nowMs + HAND_OVER_MS) } : { wakesAt: atMs(slotMs) })
      .where('deliveryId', '=', next.deliveryId)
      .execute();
    told.push({ ...next, afterMs: isDue ? 0 : Math.ceil(slotMs - nowMs) });
  }
  return told;
}

async function listFront(
  tx: Transaction<DB>,
  connectionId: string,
): Promise<(Omit<NextInLine, 'afterMs'> & { slotMs: number; wakesMs: number })[]> {
  const { rows } = await sql<Omit<NextInLine, 'afterMs'> & { slotMs: number; wakesMs: number }>`
    select s.delivery_id, d.article_id, d.destination, ${countMs(sql`s.slot_at`)} as slot_ms, ${countMs(sql`s.wakes_at`)} as wakes_ms
    from rate_slots s join deliveries d on d.id = s.delivery_id
    where s.connection_id = ${connectionId} and ${IS_WAITING}
    order by s.slot_at, s.delivery_id limit ${PLACES}`.execute(tx);
  return rows;
}
