/** What people and the API see of deliveries: read from the view `delivery_states`. */
import type { Kysely } from 'kysely';
import type { DB } from '../db/types.ts';

/** The deliveries that there are; a condition on `s` says of which articles. */
export function selectStates(db: Kysely<DB>) {
  return db
    .selectFrom('deliveryStates as s')
    .select(['s.articleId', 's.destination', 's.state', 's.presence', 's.remoteId', 's.remoteUrl', 's.withdrawnAt'])
    .select(['s.deliveredRevision', 's.errorCode', 's.nextAttemptAt', 's.platform', 's.account', 's.isTakenBack'])
    .select([
      's.openReason',
      's.lastReason',
      's.statusReason',
      's.isFound',
      's.connectionStatus',
      's.connectedPlatform',
    ])
    .where('s.deliveryId', 'is not', null)
    .orderBy('s.destination');
}
