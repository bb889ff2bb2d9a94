/** What every record of an outcome has in common: the row it locks, the columns it clears, the notification. */
import type { Kysely, Transaction } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { NotificationType } from '../db/json-columns.ts';
import type { DB } from '../db/types.ts';
import { addNotification } from '../notifications/add.ts';

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

export const NOT_IN_FLIGHT = {
  inFlightAction: null,
  inFlightAt: null,
  inFlightHash: null,
  inFlightRevision: null,
  inFlightLookUp: null,
  inFlightPayload: null,
  inFlightRepeated: false,
} as const;

export const NO_ERROR = { lastError: null, lastErrorCode: null, nextAttemptAt: null } as const;

type LockedDelivery = NonNullable<Awaited<ReturnType<typeof lockDelivery>>>;

export function lockDelivery(
  tx: Kysely<DB>,
  { deliveryId, attempt }: AttemptKey,
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

export function notify(
  tx: Transaction<DB>,
  row: LockedDelivery,
  outcome: OutcomeKey,
  type: NotificationType,
  more: { sharedUrl: string } | { reason: string },
): Promise<boolean> {
  const payload = { postTitle: row.title, platform: formatPlatform(row.destination), ...more };
  return addNotification(tx, { userId: row.authorId, type, payload, dedupeKey: outcome.outcomeKey, now: outcome.now });
}

/** In events a platform is the upper-cased key. */
function formatPlatform(destination: DestinationKey): string {
  return destination.toUpperCase();
}
