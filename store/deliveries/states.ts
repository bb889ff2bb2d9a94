/** What people and the API see of deliveries: read from the view `delivery_states`. */
import { type Kysely, sql } from 'kysely';
import { describeError } from '../../delivery/describe-error.ts';
import type { DB } from '../db/types.ts';

/** The deliveries that there are; a condition on `s` chooses the articles. */
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

/** How often something was sent there, at whichever account. */
export const sentAttempts = sql<number>`(select count(*)::int from delivery_attempts t
  where t.delivery_id = s.delivery_id and t.was_sent)`;

/** With what went wrong, and what to do next; null where nothing is wrong. */
export function addErrors<Row extends Parameters<typeof describeError>[0]>(rows: readonly Row[]) {
  return rows.map((row) => ({ ...row, error: describeError(row) }));
}
