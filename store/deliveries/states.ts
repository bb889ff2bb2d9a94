/** Reads delivery states from the view `delivery_states`, for pages and the API. */
import { type Kysely, sql } from 'kysely';
import { describeError } from '../../delivery/describe-error.ts';
import type { DB } from '../db/types.ts';

/** Existing deliveries; the caller adds a condition on `s`. */
export function selectStates(db: Kysely<DB>) {
  return db
    .selectFrom('deliveryStates as s')
    .select(['s.articleId', 's.destination', 's.state', 's.presence', 's.remoteId', 's.remoteUrl', 's.withdrawnAt'])
    .select(['s.deliveredRevision', 's.errorCode', 's.nextAttemptAt', 's.platform', 's.account', 's.shouldBeWithdrawn'])
    .select([
      's.openReason',
      's.lastReason',
      's.statusReason',
      's.hasLiveCopy',
      's.connectionStatus',
      's.connectedPlatform',
    ])
    .where('s.deliveryId', 'is not', null)
    .orderBy('s.destination');
}

/** Sent attempts at all accounts of the destination. */
export const sentAttempts = sql<number>`(select count(*)::int from delivery_attempts t
  where t.delivery_id = s.delivery_id and t.was_sent)`;

/** Adds `error`: the author's message, or null. */
export function addErrorMessages<Row extends Parameters<typeof describeError>[0]>(rows: readonly Row[]) {
  return rows.map((row) => ({ ...row, error: describeError(row) }));
}
