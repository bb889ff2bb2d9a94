/**
 * How an attempt ended, written in one transaction with the notification that tells the author. Every function is idempotent: the
 * notification has a key of its own, and the row is set to the same values again.
 */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { type AttemptKey, lockDelivery, NO_ERROR, NOT_IN_FLIGHT, notify, type OutcomeKey } from './row.ts';

export interface RecordedPost {
  remoteId: string;
  url: string;
  changedAt: string | null;
}

/**
 * The destination carries what was in flight. `upToDate`: and that is what the article says now, so nothing is left to do until its author
 * changes something.
 */
export function recordDelivered(
  db: Database,
  outcome: OutcomeKey & { remote: RecordedPost },
): Promise<{ upToDate: boolean }> {
  return db.transaction().execute(async (tx) => {
    const row = await lockDelivery(tx, outcome);
    // Recorded before: the next plan tells whether more is due.
    if (!row || row.inFlightAction === null) return { upToDate: false };
    await tx
      .updateTable('deliveries')
      .set({
        ...NOT_IN_FLIGHT,
        ...NO_ERROR,
        state: row.inFlightRevision === row.revision ? 'delivered' : 'stale',
        remoteId: outcome.remote.remoteId,
        remoteUrl: outcome.remote.url,
        remoteChangedAt: outcome.remote.changedAt,
        overwrite: false,
        deliveredHash: row.inFlightHash,
        deliveredRevision: row.inFlightRevision,
        withdrawnAt: null,
        // Where a newer revision waits, that publish is not answered yet; the search for stalled deliveries relies on it.
        ...(row.inFlightRevision === row.revision ? { handledDispatch: row.dispatch } : {}),
        updatedAt: outcome.now,
      })
      .where('id', '=', outcome.deliveryId)
      .execute();
    await notify(tx, row, outcome, 'CROSS_POST_SUCCESS', { sharedUrl: outcome.remote.url });
    return { upToDate: row.status === 'PUBLISHED' && row.inFlightRevision === row.revision && !row.withdrawRequested };
  });
}

/**
 * A post was found that an attempt made, or that was there before. It belongs to this delivery from now on; its content is not known, so an
 * update follows, and the notification with it.
 */
export async function recordAdopted(
  db: Database,
  { deliveryId, attempt, now, remote }: AttemptKey & { remote: RecordedPost },
): Promise<void> {
  const { remoteId, url: remoteUrl } = remote;
  await db
    .updateTable('deliveries')
    .set({
      ...NOT_IN_FLIGHT,
      state: 'stale',
      remoteId,
      remoteUrl,
      // Whoever changed it last: what we were about to post there is newer.
      remoteChangedAt: null,
      deliveredHash: null,
      withdrawnAt: null,
      updatedAt: now,
    })
    .where('id', '=', deliveryId)
    .where('attempts', '=', attempt)
    .where('inFlightAction', '=', 'create')
    .execute();
}

/** The destination carries this content already: nothing was sent, and nobody is notified. */
export async function recordUpToDate(
  db: Database,
  deliveryId: string,
  { revision, dispatch, now }: { revision: number; dispatch: number; now: Date },
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ ...NO_ERROR, ...NOT_IN_FLIGHT, state: 'delivered', deliveredRevision: revision })
    .set({ handledDispatch: dispatch, updatedAt: now })
    .where('id', '=', deliveryId)
    .execute();
}

/** The platform cannot change a post: the copy stays as it was. The answer to the publish has warned the author. */
export async function recordUnchangeable(
  db: Database,
  deliveryId: string,
  { dispatch, reason, now }: { dispatch: number; reason: string; now: Date },
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ ...NOT_IN_FLIGHT, state: 'stale', lastErrorCode: 'cannot_update', lastError: reason, nextAttemptAt: null })
    .set({ handledDispatch: dispatch, updatedAt: now })
    .where('id', '=', deliveryId)
    .execute();
}

/** A look-up proved that the create made nothing. */
export async function recordAbsent(db: Database, { deliveryId, attempt, now }: AttemptKey): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ ...NOT_IN_FLIGHT, state: 'pending', updatedAt: now })
    .where('id', '=', deliveryId)
    .where('attempts', '=', attempt)
    .where('inFlightAction', '=', 'create')
    .execute();
}

/** Hidden, or with `deleted` gone for good: whatever is published there later is another post. */
export async function recordWithdrawn(
  db: Database,
  { deliveryId, attempt, now, deleted, dispatch }: AttemptKey & { deleted: boolean; dispatch: number },
): Promise<void> {
  const gone = {
    remoteId: null,
    remoteUrl: null,
    deliveredHash: null,
    formerRemoteIds: sql<string[]>`case when remote_id is null then former_remote_ids
      else array_append(former_remote_ids, remote_id) end`,
  };
  await db
    .updateTable('deliveries')
    .set({ ...NOT_IN_FLIGHT, ...NO_ERROR, state: 'stale', withdrawnAt: now, updatedAt: now, remoteChangedAt: null })
    .set({ overwrite: false })
    .set({ handledDispatch: dispatch, ...(deleted ? gone : {}) })
    .where('id', '=', deliveryId)
    .where('attempts', '=', attempt)
    .execute();
}
