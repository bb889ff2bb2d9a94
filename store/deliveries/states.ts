/** What people and the API see of deliveries: read from the view `delivery_states`, in words where nobody else has said why. */
import type { Kysely, Selectable } from 'kysely';
import { findFormat } from '../../destinations/format/platform-formats.ts';
import { describeWithdrawal } from '../../destinations/posts/copy-fate.ts';
import type { DB } from '../db/types.ts';

type StateRow = Selectable<DB['deliveryStates']>;

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

type Described = Pick<
  StateRow,
  | 'state'
  | 'errorCode'
  | 'openReason'
  | 'lastReason'
  | 'statusReason'
  | 'isTakenBack'
  | 'remoteUrl'
  | 'connectionStatus'
  | 'connectedPlatform'
>;

/** What went wrong, and what to do next; null where nothing is wrong. */
export function describeError(row: Described): string | null {
  if (row.errorCode === null) return null;
  const held = row.state === 'held' && row.isTakenBack ? describeHeldWithdrawal(row) : null;
  switch (row.errorCode) {
    case 'skipped':
      return row.state === 'unknown' ? SKIPPED_UNKNOWN : 'Skipped at your request. The next publish goes there again.';
    case 'not_connected':
      return held ?? NOT_CONNECTED;
    case 'unauthorised':
      return held ?? row.statusReason;
    case 'other_account':
      return 'It was published while another account was connected. Send it to this one, or publish it again.';
    default:
      return row.openReason ?? row.lastReason ?? LEFT;
  }
}

const NOT_CONNECTED =
  'The destination is not connected. Reconnect the same account and it is sent; to send it elsewhere, connect that account and publish again.';
const SKIPPED_UNKNOWN =
  'Skipped at your request. An earlier attempt may have made a post there: retryDelivery looks for it; or look yourself, and say what you found with settleDelivery.';
const LEFT =
  'Nobody knows whether the last attempt arrived there, and nothing more is sent: of this article nothing is due there any more.';

function describeHeldWithdrawal({ remoteUrl, connectionStatus, connectedPlatform }: Described): string {
  const connection =
    connectionStatus === null || connectedPlatform === null
      ? null
      : { platform: connectedPlatform, status: connectionStatus };
  return describeWithdrawal({ url: remoteUrl, connection }, connection && findFormat(connection.platform)).message;
}
