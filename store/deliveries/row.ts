/** What every record of an outcome has in common: the row it locks, the columns it clears, the notification. */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { Database } from '../db/database.ts';
import type { NotificationType } from '../db/json-columns.ts';
import { compileOnce, type RowOf } from '../db/prepared.ts';
import { type TripTransaction, transactInTrips } from '../db/trips.ts';
import type { DB } from '../db/types.ts';
import { addNotification, type NewNotification } from '../notifications/add.ts';
import { buildArticleLink } from '../notifications/article-link.ts';

/** Names the attempt: a record that comes late, when another attempt has begun, changes nothing. */
export interface AttemptKey {
  deliveryId: string;
  attempt: number;
  now: Date;
}

export interface OutcomeKey extends AttemptKey {
  /** The same key never notifies twice. */
  outcomeKey: string;
}

export const NO_ERROR = { lastError: null, lastErrorCode: null, nextAttemptAt: null } as const;

export type LockedDelivery = NonNullable<Awaited<ReturnType<typeof lockDelivery>>>;

/**
 * Runs `record` in a transaction with the locked row, and with what the attempt was sending where its outcome is open; it may send its last
 * statements together with the commit. Nothing happens for an attempt that another one has followed, or that was made void: its record comes
 * too late.
 */
export function withAttempt<T>(
  db: Database,
  { deliveryId, attempt }: Pick<AttemptKey, 'deliveryId' | 'attempt'>,
  record: (tx: Transaction<DB>, row: LockedDelivery, commitWith: TripTransaction['commitWith']) => Promise<T>,
): Promise<T | null> {
  return transactInTrips(db, [selectLocked(db, { deliveryId, attempt })], async ({ tx, commitWith }, [[found]]) => {
    const row = readLocked(found);
    return row && (row.sent !== null || row.attempts === attempt) ? record(tx, row, commitWith) : null;
  });
}

/** `sent` is null where the attempt has ended, or was never marked. */
export async function lockDelivery(
  tx: Kysely<DB>,
  { deliveryId, attempt }: Pick<AttemptKey, 'deliveryId' | 'attempt'>,
) {
  return readLocked((await tx.executeQuery(selectLocked(tx, { deliveryId, attempt }))).rows[0]);
}

const selectLocked = compileOnce((db, { deliveryId, attempt }: { deliveryId: string; attempt: number }) =>
  db
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .leftJoin('deliveryAttempts', (join) =>
      join
        .onRef('deliveryAttempts.deliveryId', '=', 'deliveries.id')
        .onRef('deliveryAttempts.accountId', '=', 'deliveries.accountId')
        .on('deliveryAttempts.number', '=', attempt)
        .on('deliveryAttempts.endedAt', 'is', null),
    )
    .select(['deliveries.id', 'deliveries.articleId', 'deliveries.destination', 'deliveries.attempts'])
    .select('deliveries.remoteId')
    .select(['deliveryAttempts.action', 'deliveryAttempts.contentHash', 'deliveryAttempts.revision as sentRevision'])
    .select(['articles.authorId', 'articles.title', 'articles.revision'])
    .select(['articles.dispatch', 'articles.status', 'deliveries.withdrawRequested'])
    .where('deliveries.id', '=', deliveryId)
    .forUpdate('deliveries')
    .compile(),
);

function readLocked(row: RowOf<ReturnType<typeof selectLocked>> | undefined) {
  if (!row) return null;
  const { action, contentHash, sentRevision, ...delivery } = row;
  const sent =
    action === null || contentHash === null || sentRevision === null
      ? null
      : { action, hash: contentHash, revision: sentRevision };
  return { ...delivery, sent };
}

export function notify(tx: Transaction<DB>, ...outcome: Parameters<typeof buildNotification>): Promise<boolean> {
  return addNotification(tx, buildNotification(...outcome));
}

export function buildNotification(
  row: Pick<LockedDelivery, 'authorId' | 'articleId' | 'title' | 'destination'>,
  outcome: Pick<OutcomeKey, 'outcomeKey' | 'now'>,
  type: NotificationType,
  more: { sharedUrl: string } | { reason: string },
): NewNotification {
  const payload = { postTitle: row.title, platform: formatPlatform(row.destination), ...more };
  const { authorId: userId, articleId } = row;
  const { outcomeKey: dedupeKey, now } = outcome;
  return { userId, type, payload, link: buildArticleLink(articleId), dedupeKey, now };
}

/** In events a platform is the upper-cased key. */
function formatPlatform(destination: DestinationKey): string {
  return destination.toUpperCase();
}

/** The post is gone for good: whatever is published there later is another one, which the platform may still call this one's duplicate. */
export const POST_IS_GONE = {
  remoteId: null,
  remoteUrl: null,
  deliveredHash: null,
  formerRemoteIds: sql<
    string[]
  >`case when remote_id is null or remote_id = any (former_remote_ids) then former_remote_ids
    else array_append(former_remote_ids, remote_id) end`,
};
