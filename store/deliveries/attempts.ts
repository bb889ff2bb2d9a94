/** Marks an attempt in the ledger before anything is sent, and finds out whose post it made. */
import { type Kysely, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DeliveryAction } from '../../delivery/types.ts';
import type { Database } from '../db/database.ts';
import type { LookUpKeys } from '../db/json-columns.ts';
import type { DB } from '../db/types.ts';

/**
 * Marks an attempt before anything is sent: from here on a lost worker means "unknown". Returns the attempt's number; null where the row
 * has changed since it was planned, or a create is marked already, whose outcome only a look-up may find out. The time is the database's,
 * like the one it is compared with.
 */
export async function markAttempt(
  db: Database,
  deliveryId: string,
  attempt: {
    action: DeliveryAction;
    planned: number;
    connectionId: string;
    hash: string;
    revision: number;
    lookUp: LookUpKeys;
    /** Kept where one identical repeat may serve as the look-up; null elsewhere. */
    payload: unknown;
  },
): Promise<number | null> {
  const row = await db
    .updateTable('deliveries')
    .set((eb) => ({
      state: 'delivering',
      connectionId: attempt.connectionId,
      inFlightAction: attempt.action,
      inFlightAt: sql<Date>`clock_timestamp()`,
      inFlightHash: attempt.hash,
      inFlightRevision: attempt.revision,
      inFlightLookUp: JSON.stringify(attempt.lookUp),
      inFlightPayload: attempt.payload === null ? null : JSON.stringify(attempt.payload),
      inFlightRepeated: false,
      // An update whose end was never recorded may have moved the post's time.
      remoteChangedAt: sql<string | null>`case when in_flight_action = 'update' then null else remote_changed_at end`,
      // Until it is recorded, what the destination carries is not known: neither the old content nor the new.
      deliveredHash: null,
      attempts: eb('attempts', '+', 1),
      nextAttemptAt: null,
      updatedAt: sql<Date>`clock_timestamp()`,
    }))
    .where('id', '=', deliveryId)
    .where('attempts', '=', attempt.planned)
    .where((eb) => eb.or([eb('inFlightAction', 'is', null), eb('inFlightAction', '!=', 'create')]))
    .$if(attempt.action === 'create', (query) => query.where('remoteId', 'is', null))
    .returning('attempts')
    .executeTakeFirst();
  return row?.attempts ?? null;
}

/**
 * Marks that a create is being sent once more, unchanged. Returns what was sent the first time; null where that was done already, or the
 * first attempt is too long ago for the platform to recognise it.
 */
export async function markRepeat(
  db: Database,
  deliveryId: string,
  repeat: { planned: number; withinMs: number },
): Promise<{ payload: unknown } | null> {
  const row = await db
    .updateTable('deliveries')
    .set({ inFlightRepeated: true, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', deliveryId)
    .where('attempts', '=', repeat.planned)
    .where('inFlightAction', '=', 'create')
    .where('inFlightRepeated', '=', false)
    .where('inFlightPayload', 'is not', null)
    .where('inFlightAt', '>', sql<Date>`clock_timestamp() - make_interval(secs => ${repeat.withinMs / 1000})`)
    .returning('inFlightPayload as payload')
    .executeTakeFirst();
  return row ?? null;
}

/** Whether the author's remote post belongs to another article already: two articles may have one canonical URL, but not one post. */
export async function isRemotePostTaken(
  db: Kysely<DB>,
  post: { authorId: string; destination: DestinationKey; remoteId: string; exceptDeliveryId: string },
): Promise<boolean> {
  const owner = await db
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .select('deliveries.id')
    .where('articles.authorId', '=', post.authorId)
    .where('deliveries.destination', '=', post.destination)
    .where('deliveries.remoteId', '=', post.remoteId)
    .where('deliveries.id', '!=', post.exceptDeliveryId)
    .executeTakeFirst();
  return owner !== undefined;
}

/** Whether the post is one that this delivery deleted. */
export async function isFormerPost(db: Kysely<DB>, deliveryId: string, remoteId: string): Promise<boolean> {
  const row = await db
    .selectFrom('deliveries')
    .select('id')
    .where('id', '=', deliveryId)
    .where(sql<boolean>`${remoteId} = any (former_remote_ids)`)
    .executeTakeFirst();
  return row !== undefined;
}
