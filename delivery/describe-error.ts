/** What its author reads of a delivery that does not go on: the reason of its last attempt, or what it waits for. Pure. */
import { describeWithdrawal } from '../destinations/posts/copy-fate.ts';
import type { ConnectionStatus, DeliveryState } from './types.ts';

interface Described {
  state: DeliveryState;
  errorCode: string | null;
  openReason: string | null;
  lastReason: string | null;
  statusReason: string | null;
  isTakenBack: boolean;
  remoteUrl: string | null;
  connectionStatus: ConnectionStatus | null;
  connectedPlatform: string | null;
}

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

/** Whatever the platform can do is not done before it is connected. */
const ANY_PLATFORM = { label: '', limits: { withdraw: 'unpublished', canFind: false } } as const;

function describeHeldWithdrawal({ remoteUrl, connectionStatus, connectedPlatform }: Described): string {
  const connection =
    connectionStatus === null || connectedPlatform === null
      ? null
      : { platform: connectedPlatform, status: connectionStatus };
  return describeWithdrawal({ url: remoteUrl, connection }, ANY_PLATFORM).message;
}
