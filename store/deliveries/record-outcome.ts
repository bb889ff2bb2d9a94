/**
 * How an attempt ended, written in one transaction with the notification that tells the author. Every function is idempotent: the
 * notification has a key of its own, and the row is set to the same values again.
 */
import { sql, type Transaction } from 'kysely';
import { addArticleNotice } from '../articles/article-notices.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { insertNotification } from '../notifications/add.ts';
import { buildEnd, endAttempt } from './end-attempt.ts';
import { type AttemptKey, buildNotification, NO_ERROR, type OutcomeKey, POST_IS_GONE, withAttempt } from './row.ts';
import { mayStillArrive } from './unanswered.ts';

export interface RecordedPost {
  remoteId: string;
  url: string;
  changedAt: string | null;
  /** What the destination left out, found out only there. */
  notices?: readonly { code: string; message: string }[];
}

/**
 * The destination carries what was in flight. `upToDate`: and that is what the article says now, so nothing is left to do until its author
 * changes something.
 */
export async function recordDelivered(db: Database, outcome: Delivered): Promise<{ upToDate: boolean }> {
  // Where it is recorded already, the next plan tells whether more is due.
  return (await recordOpenDelivered(db, outcome)) ?? { upToDate: false };
}

/**
 * The same by the activity that was answered, with the answer. Null, and nothing is written, where the attempt is not open at the account that is
 * connected: what is to be done with its answer then is for `recordAnswer` to say.
 */
export function recordDeliveredAnswer(
  db: Database,
  { answer, ...outcome }: Omit<Delivered, 'remote'> & { answer: Done },
): Promise<{ upToDate: boolean } | null> {
  return recordOpenDelivered(db, { ...outcome, remote: answer.remote }, answer);
}

type Delivered = OutcomeKey & { remote: RecordedPost };
/** A `DestinationAnswer`. */
interface Done {
  kind: 'done';
  remote: RecordedPost;
}

function recordOpenDelivered(db: Database, outcome: Delivered, answer?: Done): Promise<{ upToDate: boolean } | null> {
  return withAttempt(db, outcome, async (tx, row, commitWith) => {
    if (row.sent === null) return null;
    const isNewest = row.sent.revision === row.revision;
    const update = tx
      .updateTable('deliveries')
      .set({
        ...NO_ERROR,
        state: isNewest ? 'delivered' : 'stale',
        remoteId: outcome.remote.remoteId,
        remoteUrl: outcome.remote.url,
        remoteChangedAt: forgetIfLate(outcome),
        overwrite: false,
        deliveredHash: row.sent.hash,
        deliveredRevision: row.sent.revision,
        withdrawnAt: null,
        // Where a newer revision waits, that publish is not answered yet; the search for stalled deliveries relies on it.
        ...(isNewest ? { handledDispatch: row.dispatch } : {}),
        updatedAt: outcome.now,
      })
      .where('id', '=', outcome.deliveryId);
    const end = buildEnd(tx, outcome, { outcome: 'delivered', now: outcome.now, answer });
    const notification = buildNotification(row, outcome, 'CROSS_POST_SUCCESS', { sharedUrl: outcome.remote.url });
    for (const [index, { code, message }] of (outcome.remote.notices ?? []).entries()) {
      const dedupeKey = `delivered:${outcome.deliveryId}:${outcome.attempt}:${index}`;
      await addArticleNotice(tx, { articleId: row.articleId, code, message, dedupeKey, now: outcome.now });
    }
    await commitWith(update.compile(), end.compile(), insertNotification(tx, notification));
    return { upToDate: row.status === 'PUBLISHED' && isNewest && !row.withdrawRequested };
  });
}

/** The post's time. An earlier update that nobody answered may still arrive and move it: it would be taken for somebody else's change. */
function forgetIfLate({ deliveryId, attempt, remote }: AttemptKey & { remote: RecordedPost }) {
  return sql<string | null>`case when exists (select from delivery_attempts t where t.delivery_id = ${deliveryId}
    and t.number < ${attempt} and ${mayStillArrive}) then null else ${remote.changedAt}::text end`;
}

/**
 * A post was found that an attempt made, or that was there before. It belongs to this delivery from now on; its content is not known, so an
 * update follows, and the notification with it.
 */
export async function recordAdopted(db: Database, adopted: AttemptKey & { remote: RecordedPost }): Promise<void> {
  const { remote, now } = adopted;
  await withAttempt(db, adopted, async (tx, row) => {
    if (row.remoteId !== null) return;
    await tx
      .updateTable('deliveries')
      .set({
        ...NO_ERROR,
        state: 'stale',
        remoteId: remote.remoteId,
        remoteUrl: remote.url,
        // Whoever changed it last: what we were about to post there is newer.
        remoteChangedAt: null,
        deliveredHash: null,
        withdrawnAt: null,
        // Found before anything was sent: at the account that is connected, since a change of it makes what was planned void.
        accountId: sql<string>`coalesce(account_id, (select c.account_id from connections c join articles a on a.author_id = c.user_id
          where a.id = deliveries.article_id and c.destination = deliveries.destination))`,
        updatedAt: now,
      })
      .where('id', '=', adopted.deliveryId)
      .execute();
    await forgetFormerPost(tx, adopted.deliveryId, remote);
    await endAttempt(tx, adopted, { outcome: 'adopted', now });
  });
}

/** The account was known by other ids before, or its site has moved: what stands at the same address is one post. */
async function forgetFormerPost(tx: Transaction<DB>, deliveryId: string, { remoteId, url }: RecordedPost) {
  await tx
    .deleteFrom('formerPosts')
    .where('deliveryId', '=', deliveryId)
    .where('remoteId', '=', remoteId)
    .where('remoteUrl', '=', url)
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
    .set({ ...NO_ERROR, state: 'delivered', deliveredRevision: revision })
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
    .set({ state: 'stale', lastErrorCode: 'cannot_update', lastError: reason, nextAttemptAt: null })
    .set({ handledDispatch: dispatch, updatedAt: now })
    .where('id', '=', deliveryId)
    .execute();
}

/** A look-up proved that the create made nothing. */
export async function recordAbsent(db: Database, absent: AttemptKey): Promise<void> {
  const { now } = absent;
  await withAttempt(db, absent, async (tx, row) => {
    if (row.sent?.action !== 'create') return;
    await tx
      .updateTable('deliveries')
      .set({ state: 'pending', updatedAt: now })
      // Its author was told that nobody knows how it ended. The other name is that of earlier releases.
      .set({
        lastErrorCode: sql`case when ${isSaidUnknown} then 'made_nothing' else last_error_code end`,
        lastError: sql`case when ${isSaidUnknown} then ${MADE_NOTHING} else last_error end`,
      })
      .where('id', '=', absent.deliveryId)
      .execute();
    await endAttempt(tx, absent, { outcome: 'absent', now });
  });
}

const isSaidUnknown = sql<boolean>`coalesce(last_error_code in ('outcome_unknown', 'unknown_outcome'), false)`;
const MADE_NOTHING = 'The last attempt was looked for, and had made no post there.';

/** Hidden, or with `deleted` gone for good: whatever is published there later is another post. */
export async function recordWithdrawn(
  db: Database,
  withdrawn: AttemptKey & { deleted: boolean; dispatch: number },
): Promise<void> {
  const { deliveryId, now, deleted, dispatch } = withdrawn;
  await withAttempt(db, withdrawn, async (tx) => {
    await tx
      .updateTable('deliveries')
      .set({ ...NO_ERROR, state: 'stale', withdrawnAt: now, updatedAt: now, remoteChangedAt: null })
      .set({ overwrite: false })
      .set({ handledDispatch: dispatch, ...(deleted ? POST_IS_GONE : {}) })
      .where('id', '=', deliveryId)
      .execute();
    await endAttempt(tx, withdrawn, { outcome: 'withdrawn', now });
  });
}
