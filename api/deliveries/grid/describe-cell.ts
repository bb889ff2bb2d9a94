/**
 * Maps a delivery to the label, tone and commands of its grid cell. Pure; the table of cases is in
 * `test/api/deliveries/cells.test.ts`.
 */

import { PLATFORMS_BY_KEY } from '../../../destinations/platforms.ts';
import { findDescriptor } from '../../../destinations/registry.ts';
import { isWebAddress } from '../../../runtime/config/web-address.ts';
import type { GridDelivery } from '../../../store/deliveries/grid.ts';
import { replaceCommandsByButtons } from './button-names.ts';
import type { Cell, CellCommand, CellFacts, Tone } from './cell.ts';

export function describeCell(facts: CellFacts): Cell {
  const { destination, connection, delivery } = facts;
  const platform = delivery?.platform ?? connection?.platform ?? PLATFORMS_BY_KEY[destination][0] ?? '';
  const format = findDescriptor(platform);
  const base = { ...EMPTY, destination, label: format?.label ?? platform, hasDelivery: delivery !== null };
  if (delivery === null) return { ...base, ...describeAbsence(facts) };
  const mayBeSeen = delivery.hasLiveCopy;
  const known: KnownDelivery = {
    delivery,
    mayBeSeen,
    isDue: delivery.shouldBeDelivered,
    shouldBeWithdrawn: mayBeSeen && delivery.shouldBeWithdrawn,
    isActive: connection?.status === 'active',
    canFind: format?.limits.canFind ?? false,
    canWithdraw: connection !== null && (format?.limits.withdraw ?? 'none') !== 'none' && !facts.article.imported,
    isUnsent: (delivery.handledDispatch ?? 0) < facts.article.dispatch,
  };
  const state = STATES[delivery.state](known);
  const cell: Cell = {
    ...base,
    url: delivery.remoteUrl !== null && isWebAddress(delivery.remoteUrl) ? delivery.remoteUrl : null,
    reason: describeReason(delivery),
    nextAttemptAt: delivery.nextAttemptAt,
    attempts: delivery.attempts,
    needsAuthor: delivery.needsAuthor,
    ...state,
    isUnderWay: state.isUnderWay === true && known.isActive,
  };
  return cell.needsAuthor && !known.isActive ? { ...cell, needsConnection: true } : cell;
}

interface KnownDelivery {
  delivery: GridDelivery;
  /** The article is public and selected for the destination. */
  isDue: boolean;
  /** A copy is live or uncertain. */
  mayBeSeen: boolean;
  /** This copy must be withdrawn. */
  shouldBeWithdrawn: boolean;
  isActive: boolean;
  canFind: boolean;
  canWithdraw: boolean;
  /** The delivery has not handled the last dispatch yet. */
  isUnsent: boolean;
}

type CellState = Pick<Cell, 'stateText' | 'tone'> & Partial<Cell>;

const EMPTY = {
  ...{ url: null, reason: null, nextAttemptAt: null, commands: [], canSettle: false, attempts: 0 },
  ...{ needsConnection: false, needsAuthor: false, isUnderWay: false },
};

const RETRY = { command: 'retry', text: 'Retry' } as const;
const SEND_AGAIN = { command: 'retry', text: 'Send again', undoes: true } as const;
const SEND = { command: 'retry', text: 'Send', undoes: true } as const;
const CANCEL_WITHDRAWAL = { command: 'retry', text: 'Cancel withdrawal', undoes: true } as const;
const SKIP = { command: 'skip', text: 'Skip' } as const;
const LEAVE_LIVE = { command: 'skip', text: 'Leave it live' } as const;
const OVERWRITE = { command: 'overwrite', text: 'Overwrite' } as const;
const WITHDRAW = { command: 'withdraw', text: 'Withdraw' } as const;

/** The uncertain copy comes first, because the grid cuts long reasons. */
function describeReason({ error, isUncertain }: GridDelivery): string | null {
  const parts = [isUncertain && UNCERTAIN_COPY, error !== null && replaceCommandsByButtons(error)].filter(Boolean);
  return parts.length === 0 ? null : parts.join(' ');
}

const UNCERTAIN_COPY =
  'The article was published again after its copy was withdrawn, and the result is unknown: readers may find the copy.';

const STATES: Record<GridDelivery['state'], (known: KnownDelivery) => CellState> = {
  pending: describePending,
  delivering: describeDelivering,
  delivered: describeDelivered,
  stale: describeStale,
  failed: describeFailed,
  unknown: describeUnknown,
  held: describeHeld,
};

function describePending({ delivery, isDue }: KnownDelivery): CellState {
  if (!isDue) return buildState('Not sent', 'quiet');
  if (delivery.error !== null) return { ...buildState('Retrying', 'warn', [RETRY, SKIP]), isUnderWay: true };
  return { ...buildState('Waiting', 'info', [SKIP]), isUnderWay: true };
}

function describeDelivering({ delivery }: KnownDelivery): CellState {
  if (delivery.error === null) return { ...buildState('Sending', 'info'), isUnderWay: true };
  return { ...buildState('Checking', 'warn', [RETRY, SKIP]), isUnderWay: true };
}

function describeDelivered(known: KnownDelivery): CellState {
  if (known.shouldBeWithdrawn) return describeWithdrawing(known);
  const commands = listCommands([known.canWithdraw && WITHDRAW]);
  if (known.isDue && known.isUnsent) return { ...buildState('Updating', 'info', commands), isUnderWay: true };
  return buildState('Delivered', 'good', commands);
}

function describeStale(known: KnownDelivery): CellState {
  const { delivery, mayBeSeen, isDue, isActive, canWithdraw } = known;
  const cannotUpdate = delivery.errorCode === 'cannot_update';
  if (delivery.errorCode === 'skipped') {
    const withdraw = mayBeSeen && canWithdraw && WITHDRAW;
    return buildState('Skipped', 'quiet', listCommands([isDue && isActive && SEND_AGAIN, withdraw]));
  }
  if (delivery.errorCode === 'other_account') {
    const word = delivery.formerAccountName === null ? 'Not sent' : `At ${delivery.formerAccountName}`;
    return buildState(word, 'quiet', listCommands([isActive && SEND]));
  }
  if (known.shouldBeWithdrawn) return describeWithdrawing(known);
  if (cannotUpdate) return buildState('Outdated', 'warn', listCommands([canWithdraw && WITHDRAW]));
  if (!mayBeSeen && !isDue) {
    const commands = listCommands([delivery.withdrawRequested === true && isActive && SEND_AGAIN]);
    return buildState(delivery.withdrawnAt === null ? 'Not sent' : 'Withdrawn', 'quiet', commands);
  }
  if (!isDue) return buildState('Outdated', 'quiet', listCommands([canWithdraw && WITHDRAW]));
  const withdraw = mayBeSeen && canWithdraw && WITHDRAW;
  if (delivery.error === null)
    return { ...buildState('Updating', 'info', listCommands([SKIP, withdraw])), isUnderWay: true };
  return { ...buildState('Retrying', 'warn', listCommands([isActive && RETRY, SKIP, withdraw])), isUnderWay: true };
}

/** An author who requested the withdrawal can cancel it before it is done. */
function describeWithdrawing({ delivery, isActive }: KnownDelivery): CellState {
  const commands = listCommands([delivery.withdrawRequested === true && isActive && CANCEL_WITHDRAWAL]);
  const hasNoProblem = delivery.error === null && !delivery.isUncertain;
  return { ...buildState('Withdrawing', hasNoProblem ? 'info' : 'warn', commands), isUnderWay: true };
}

function describeFailed(known: KnownDelivery): CellState {
  const { delivery, mayBeSeen, isDue, isActive, canWithdraw } = known;
  const withdraw = mayBeSeen && canWithdraw && WITHDRAW;
  if (delivery.errorCode === 'skipped')
    return buildState('Skipped', 'quiet', listCommands([isDue && isActive && SEND_AGAIN]));
  if (delivery.errorCode === 'cannot_withdraw') return buildState('Still live', 'bad', [LEAVE_LIVE]);
  if (delivery.errorCode === 'drifted') {
    return buildState('Edited there', 'bad', listCommands([isActive && OVERWRITE, SKIP, withdraw]));
  }
  if (!isDue && !mayBeSeen) return buildState('Failed', 'quiet');
  return buildState('Failed', 'bad', listCommands([isActive && RETRY, SKIP, withdraw]));
}

function describeUnknown({ delivery, isActive, canFind }: KnownDelivery): CellState {
  if (delivery.openAction === 'create' && !canFind) {
    return { ...buildState('Unknown', 'bad'), canSettle: true };
  }
  return buildState('Unknown', 'bad', listCommands([isActive && RETRY, delivery.errorCode !== 'skipped' && SKIP]));
}

function describeHeld(known: KnownDelivery): CellState {
  if (!known.delivery.needsAuthor) return { ...buildState('Not sent', 'quiet'), reason: null };
  // The destination is connected now, so the delivery continues without the author.
  if (known.isActive) return { ...buildState('Waiting', 'info', [SKIP]), isUnderWay: true };
  return buildState('Held', 'warn', [SKIP]);
}

function describeAbsence(facts: CellFacts): CellState {
  const { article, connection, destination } = facts;
  if (article.imported) return buildState('Imported', 'quiet');
  if (!article.selected.includes(destination)) return buildState('Not selected', 'quiet');
  if (article.status === 'SCHEDULED' && connection !== null) return buildState('Scheduled', 'quiet');
  if (article.status !== 'PUBLISHED') return buildState('Not sent', 'quiet');
  if (connection === null) return buildState('Not connected', 'quiet');
  // An article published before the destination was connected is not sent automatically.
  if (article.dispatchedAt < connection.createdAt) {
    return {
      ...buildState('Not sent', 'quiet'),
      reason:
        'Connected after the article was published. Send it from the page of the connection, or publish it again.',
    };
  }
  return { ...buildState('Waiting', 'info'), isUnderWay: connection.status === 'active' };
}

function buildState(stateText: string, tone: Tone, commands: readonly CellCommand[] = []): CellState {
  return { stateText, tone, commands };
}

function listCommands(commands: readonly (CellCommand | false)[]): CellCommand[] {
  return commands.filter((command) => command !== false);
}
