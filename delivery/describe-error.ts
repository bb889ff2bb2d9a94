/** Builds the author's message for a stopped delivery: its last failure or cause. Pure. */
import { describeWithdrawal } from '../destinations/posts/describe-withdrawal.ts';
import type { ConnectionStatus, DeliveryState } from './types.ts';

interface DeliveryErrorRow {
  state: DeliveryState;
  errorCode: string | null;
  openReason: string | null;
  lastReason: string | null;
  statusReason: string | null;
  shouldBeWithdrawn: boolean;
  remoteUrl: string | null;
  connectionStatus: ConnectionStatus | null;
  connectedPlatform: string | null;
}

/** Null if the delivery has no error code. */
export function describeError(row: DeliveryErrorRow): string | null {
  if (row.errorCode === null) return null;
  const held = row.state === 'held' && row.shouldBeWithdrawn ? describeHeldWithdrawal(row) : null;
  switch (row.errorCode) {
    case 'skipped':
      return row.state === 'unknown' ? SKIPPED_UNKNOWN : 'Skipped at your request. The next publish is sent.';
    case 'not_connected':
      return held ?? NOT_CONNECTED;
    case 'unauthorised':
      return held ?? row.statusReason;
    case 'other_account':
      return 'Not sent to this account: the article was published while another account, or none, was connected. Send it, or publish it again.';
    default:
      return row.openReason ?? row.lastReason ?? NOT_DUE_ANY_MORE;
  }
}

const NOT_CONNECTED =
  'The destination is not connected. Reconnect the same account to send it. To use another account, connect that account, then send the article there.';
const SKIPPED_UNKNOWN =
  'Skipped at your request. An earlier attempt may have created a post there. Use retryDelivery to search for it, or check there and report the result with settleDelivery.';
const NOT_DUE_ANY_MORE =
  'Unknown whether the last attempt reached the destination. Nothing more is sent, because the article is no longer due there.';

/** Until the destination is connected again, the limits of its platform do not matter. */
const ANY_PLATFORM = { label: '', limits: { withdraw: 'unpublished', canFind: false } } as const;

function describeHeldWithdrawal({ remoteUrl, connectionStatus, connectedPlatform }: DeliveryErrorRow): string {
  const connection =
    connectionStatus === null || connectedPlatform === null
      ? null
      : { platform: connectedPlatform, status: connectionStatus };
  return describeWithdrawal({ url: remoteUrl, connection }, ANY_PLATFORM).message;
}
