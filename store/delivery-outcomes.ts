/**
 * How an attempt ended, written in one transaction with the notification that tells the author. Every function bears being run twice:
 * the notification has a key of its own, and the row is set to the same values again.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../article/types.ts';
import { heldFor, refuseConnection } from './connections.ts';
import type { Database } from './database.ts';
import type { NotificationType } from './json-columns.ts';
import { addNotification } from './notifications.ts';
import type { DB } from './types.ts';

/** Which attempt it was: a record that comes late, when another attempt has begun, changes nothing. */
export interface AttemptOf {
  deliveryId: string;
  attempt: number;
  now: Date;
}

export interface OutcomeOf extends AttemptOf {
  /** Names the outcome for ever: the same key never notifies twice. */
  outcomeKey: string;
}

export const NOT_IN_FLIGHT = {
  inFlightAction: null,
  inFlightAt: null,
  inFlightHash: null,
  inFlightRevision: null,
  inFlightLookUp: null,
  inFlightPayload: null,
  inFlightRepeated: false,
} as const;

export interface RecordedPost {
  remoteId: string;
  url: string;
  changedAt: string | null;
}
export const NO_ERROR = { lastError: null, lastErrorCode: null, nextAttemptAt: null } as const;

/**
 * The destination carries what was in flight. `upToDate`: and that is what the article says now, so nothing is left to do unless its author
 * says something new.
 */
export function recordDelivered(
  db: Database,
  outcome: OutcomeOf & { remote: RecordedPost },
): Promise<{ upToDate: boolean }> {
  return db.transaction().execute(async (tx) => {
    const row = await lockDelivery(tx, outcome);
    // Recorded before: whether more is due is for a look at the row to say.
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
        // Where a newer revision waits, that publish is not answered yet: the watch goes by it.
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
 * A post was found that an attempt made, or that was there before it. It is ours from now on; what it says is not known, so an update
 * follows, and the notification with it.
 */
export async function recordAdopted(
  db: Database,
  { deliveryId, attempt, now, remote }: AttemptOf & { remote: RecordedPost },
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

/** The destination carries this content already: nothing was sent, nobody is told. */
export async function recordSettled(
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

/** The platform cannot change a post: the copy stays as it was. Its author was told in the answer to the publish. */
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

/**
 * A permanent no, or the end of patience. `unknown` where a post may be out there and nothing can find it: the attempt stays marked, so that
 * another publish looks before it makes anything. `remote_gone`: the next publish makes the post anew.
 */
export function recordFailed(
  db: Database,
  outcome: OutcomeOf & { state: 'failed' | 'unknown'; dispatch: number; code: string; reason: string },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const row = await lockDelivery(tx, outcome);
    if (!row) return false;
    await tx
      .updateTable('deliveries')
      .set({
        ...(outcome.state === 'unknown' ? {} : NOT_IN_FLIGHT),
        ...(outcome.code === 'remote_gone' ? { remoteId: null } : {}),
        state: outcome.state,
        lastErrorCode: outcome.code,
        lastError: outcome.reason,
        nextAttemptAt: null,
        handledDispatch: outcome.dispatch,
        updatedAt: outcome.now,
      })
      .where('id', '=', outcome.deliveryId)
      .execute();
    return notify(tx, row, outcome, 'CROSS_POST_FAILED', { reason: outcome.reason });
  });
}

/** Nothing happened there yet, and it will be tried again. Where an attempt to create may have happened, it stays in flight. */
export async function recordRetry(
  db: Database,
  retry: AttemptOf & { code: string; reason: string; nextAttemptAt: Date; stillInFlight: boolean },
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({
      ...(retry.stillInFlight ? {} : NOT_IN_FLIGHT),
      // An update that may have arrived may have moved the post's time: the next one cannot tell it from somebody else's.
      ...(retry.code === 'unknown_outcome' ? { remoteChangedAt: null } : {}),
      state: retry.stillInFlight ? 'delivering' : sql`case when remote_id is null then 'pending' else 'stale' end`,
      lastErrorCode: retry.code,
      lastError: retry.reason,
      nextAttemptAt: retry.nextAttemptAt,
      updatedAt: retry.now,
    })
    .where('id', '=', retry.deliveryId)
    .where('attempts', '=', retry.attempt)
    .execute();
}

export const SKIPPED = {
  lastErrorCode: 'skipped',
  lastError: 'Skipped on your word. The next publish goes there again.',
  nextAttemptAt: null,
} as const;

/** An attempt that was on its way when its author skipped it, and failed: it is not tried again, and its row does not say so. */
export async function recordSkipped(db: Database, deliveryId: string, now: Date): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ ...SKIPPED, state: sql`case when remote_id is null then 'failed' else 'stale' end`, updatedAt: now })
    .where('id', '=', deliveryId)
    .where('inFlightAction', 'is', null)
    .where('lastErrorCode', 'is distinct from', SKIPPED.lastErrorCode)
    .execute();
}

/** Waits for its account's turn: shown to the author, and to the watch as nothing to worry about. */
export async function recordWaiting(db: Database, deliveryId: string, forMs: number): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ nextAttemptAt: sql<Date>`clock_timestamp() + make_interval(secs => ${forMs / 1000})` })
    .where('id', '=', deliveryId)
    .execute();
}

/** The look-up proved that the attempt made nothing. */
export async function recordAbsent(db: Database, { deliveryId, attempt, now }: AttemptOf): Promise<void> {
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
  { deliveryId, attempt, now, deleted, dispatch }: AttemptOf & { deleted: boolean; dispatch: number },
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

/** Waits for the author, without a notification of its own. */
export async function recordHeld(
  db: Database,
  deliveryId: string,
  held: { code: string; reason: string; now: Date },
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state: 'held', lastErrorCode: held.code, lastError: held.reason, nextAttemptAt: null, updatedAt: held.now })
    .where('id', '=', deliveryId)
    .execute();
}

/**
 * The credential is refused: marks the connection, holds all that waits for it, and says so once, however many deliveries find it out.
 * False, with nothing changed, where the connection has another credential by now.
 */
export function recordUnauthorised(
  db: Database,
  outcome: OutcomeOf & { connectionId: string; generation: number; reason: string; stillInFlight: boolean },
): Promise<boolean> {
  const { connectionId, reason, now } = outcome;
  return db.transaction().execute(async (tx) => {
    const refusal = await refuseConnection(tx, { id: connectionId, generation: outcome.generation, reason, now });
    const inFlight = outcome.stillInFlight ? {} : NOT_IN_FLIGHT;
    if (refusal === 'other credential') {
      await tx
        .updateTable('deliveries')
        .set(inFlight)
        .set({ updatedAt: now })
        .where('id', '=', outcome.deliveryId)
        .where('attempts', '=', outcome.attempt)
        .execute();
      return false;
    }
    // A refused credential means that this attempt made nothing; a refused look-up says nothing of an earlier one.
    await tx
      .updateTable('deliveries')
      .set({ ...heldFor(reason, now), ...inFlight, connectionId })
      .where('id', '=', outcome.deliveryId)
      .where('attempts', '=', outcome.attempt)
      .execute();
    if (refusal === 'marked before') return true;
    // Whatever became of this attempt meanwhile: of the credential its author is told here or nowhere.
    const row = await lockDelivery(tx, outcome, 'any attempt');
    if (row) await notify(tx, row, outcome, 'CROSS_POST_FAILED', { reason });
    return true;
  });
}

type LockedDelivery = NonNullable<Awaited<ReturnType<typeof lockDelivery>>>;

function lockDelivery(
  tx: Kysely<DB>,
  { deliveryId, attempt }: AttemptOf,
  of: 'this attempt' | 'any attempt' = 'this attempt',
) {
  return tx
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .select(['deliveries.destination', 'deliveries.inFlightAction', 'deliveries.inFlightHash'])
    .select(['deliveries.inFlightRevision', 'articles.authorId', 'articles.title', 'articles.revision'])
    .select(['articles.dispatch', 'articles.status', 'deliveries.withdrawRequested'])
    .where('deliveries.id', '=', deliveryId)
    .$if(of === 'this attempt', (query) => query.where('deliveries.attempts', '=', attempt))
    .forUpdate('deliveries')
    .executeTakeFirst();
}

function notify(
  tx: Transaction<DB>,
  row: LockedDelivery,
  outcome: OutcomeOf,
  type: NotificationType,
  more: { sharedUrl: string } | { reason: string },
): Promise<boolean> {
  const payload = { postTitle: row.title, platform: platformName(row.destination), ...more };
  return addNotification(tx, { userId: row.authorId, type, payload, dedupeKey: outcome.outcomeKey, now: outcome.now });
}

/** In events a platform is the upper-cased key. */
function platformName(destination: DestinationKey): string {
  return destination.toUpperCase();
}
