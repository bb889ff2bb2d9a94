/**
 * Maps a delivery to the label, tone and commands of its grid cell. Pure; the table of cases is in
 * `test/api/deliveries/cells.test.ts`.
 */

import { isWebAddress } from '../../../runtime/config/web-address.ts';
import { findDescriptor } from '../../../destinations/registry.ts';
import { PLATFORMS_BY_KEY } from '../../../destinations/platforms.ts';
import type { GridDelivery } from '../../../store/deliveries/grid.ts';
import type { Cell, CellCommand, CellFacts, Tone } from './cell.ts';
import { replaceCommandsByButtons } from './button-names.ts';

export function describeCell(facts: CellFacts): Cell {
  const { destination, connection, delivery } = facts;
  const platform = delivery?.platform ?? connection?.platform ?? PLATFORMS_BY_KEY[destination][0] ?? '';
  const format = findDescriptor(platform);
  const base = { ...EMPTY, destination, label: format?.label ?? platform, hasDelivery: delivery !== null };
  if (delivery === null) return { ...base, ...describeAbsence(facts) };
  const mayBeSeen = delivery.hasLiveCopy;
  const known: Known = {
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

interface Known {
  delivery: GridDelivery;
  /** The article is public and selected for the destination. */
  isDue: boolean;
  /** A copy is live or uncertain. */
  mayBeSeen: boolean;
  /** Such a copy is to be withdrawn. */
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
const KEEP = { command: 'retry', text: 'Keep it', undoes: true } as const;
const SKIP = { command: 'skip', text: 'Skip' } as const;
const LEAVE = { command: 'skip', text: 'Leave it' } as const;
const OVERWRITE = { command: 'overwrite', text: 'Overwrite' } as const;
const WITHDRAW = { command: 'withdraw', text: 'Withdraw' } as const;

/** The uncertain copy comes first, because the grid cuts long reasons. */
function describeReason({ error, isUncertain }: GridDelivery): string | null {
  const parts = [isUncertain && UNCERTAIN_COPY, error !== null && replaceCommandsByButtons(error)].filter(Boolean);
  return parts.length === 0 ? null : parts.join(' ');
}

const UNCERTAIN_COPY =
  'It was published again after it was withdrawn, and no answer says whether that arrived: readers may find it there.';

const STATES: Record<GridDelivery['state'], (known: Known) => CellState> = {
  pending: describePending,
  delivering: describeDelivering,
  delivered: describeDelivered,
  stale: describeStale,
  failed: describeFailed,
  unknown: describeUnknown,
  held: describeHeld,
};

function describePending({ delivery, isDue }: Known): CellState {
  if (!isDue) return buildState('not sent', 'quiet');
  if (delivery.error !== null) return { ...buildState('trying again', 'warn', [RETRY, SKIP]), isUnderWay: true };
  return { ...buildState('waiting', 'info', [SKIP]), isUnderWay: true };
}

function describeDelivering({ delivery }: Known): CellState {
  if (delivery.error === null) return { ...buildState('sending', 'info'), isUnderWay: true };
  return { ...buildState('finding out', 'warn', [RETRY, SKIP]), isUnderWay: true };
}

function describeDelivered(known: Known): CellState {
  if (known.shouldBeWithdrawn) return describeWithdrawing(known);
  const commands = offer([known.canWithdraw && WITHDRAW]);
  if (known.isDue && known.isUnsent) return { ...buildState('updating', 'info', commands), isUnderWay: true };
  return buildState('delivered', 'good', commands);
}

function describeStale(known: Known): CellState {
  const { delivery, mayBeSeen, isDue, isActive, canWithdraw } = known;
  const isRefusedThere = delivery.errorCode === 'cannot_update';
  if (delivery.errorCode === 'skipped') {
    const withdraw = mayBeSeen && canWithdraw && WITHDRAW;
    return buildState('skipped', 'quiet', offer([isDue && isActive && SEND_AGAIN, withdraw]));
  }
  if (delivery.errorCode === 'other_account') {
    const word = delivery.elsewhere === null ? 'not sent' : `at ${delivery.elsewhere}`;
    return buildState(word, 'quiet', offer([isActive && SEND]));
  }
  if (known.shouldBeWithdrawn) return describeWithdrawing(known);
  if (isRefusedThere) return buildState('older text there', 'warn', offer([canWithdraw && WITHDRAW]));
  if (!mayBeSeen && !isDue) {
    const commands = offer([delivery.withdrawRequested === true && isActive && SEND_AGAIN]);
    return buildState(delivery.withdrawnAt === null ? 'not sent' : 'withdrawn', 'quiet', commands);
  }
  if (!isDue) return buildState('older text there', 'quiet', offer([canWithdraw && WITHDRAW]));
  const withdraw = mayBeSeen && canWithdraw && WITHDRAW;
  if (delivery.error === null) return { ...buildState('updating', 'info', offer([SKIP, withdraw])), isUnderWay: true };
  return { ...buildState('trying again', 'warn', offer([isActive && RETRY, SKIP, withdraw])), isUnderWay: true };
}

/** An author who requested the withdrawal can cancel it before it is done. */
function describeWithdrawing({ delivery, isActive }: Known): CellState {
  const commands = offer([delivery.withdrawRequested === true && isActive && KEEP]);
  const isSmooth = delivery.error === null && !delivery.isUncertain;
  return { ...buildState('withdrawing', isSmooth ? 'info' : 'warn', commands), isUnderWay: true };
}

function describeFailed(known: Known): CellState {
  const { delivery, mayBeSeen, isDue, isActive, canWithdraw } = known;
  const withdraw = mayBeSeen && canWithdraw && WITHDRAW;
  if (delivery.errorCode === 'skipped') return buildState('skipped', 'quiet', offer([isDue && isActive && SEND_AGAIN]));
  if (delivery.errorCode === 'cannot_withdraw') return buildState('still there', 'bad', [LEAVE]);
  if (delivery.errorCode === 'drifted') {
    return buildState('changed there', 'bad', offer([isActive && OVERWRITE, SKIP, withdraw]));
  }
  if (!isDue && !mayBeSeen) return buildState('failed', 'quiet');
  return buildState('failed', 'bad', offer([isActive && RETRY, SKIP, withdraw]));
}

function describeUnknown({ delivery, isActive, canFind }: Known): CellState {
  if (delivery.openAction === 'create' && !canFind) {
    return { ...buildState('not known', 'bad'), canSettle: true };
  }
  return buildState('not known', 'bad', offer([isActive && RETRY, delivery.errorCode !== 'skipped' && SKIP]));
}

function describeHeld(known: Known): CellState {
  if (!known.delivery.needsAuthor) return { ...buildState('not sent', 'quiet'), reason: null };
  // The destination is connected now, so the delivery continues without the author.
  if (known.isActive) return { ...buildState('waiting', 'info', [SKIP]), isUnderWay: true };
  return buildState('waits for you', 'warn', [SKIP]);
}

function describeAbsence(facts: CellFacts): CellState {
  const { article, connection, destination } = facts;
  if (article.imported) return buildState('imported', 'quiet');
  if (!article.selected.includes(destination)) return buildState('not asked for', 'quiet');
  if (article.status === 'SCHEDULED' && connection !== null) return buildState('planned', 'quiet');
  if (article.status !== 'PUBLISHED') return buildState('not sent', 'quiet');
  if (connection === null) return buildState('not connected', 'quiet');
  // An article published before the destination was connected is not sent automatically.
  if (article.dispatchedAt < connection.createdAt) {
    return {
      ...buildState('not sent', 'quiet'),
      reason: 'Connected after it was published: send it from the page of the connection, or publish it again.',
    };
  }
  return { ...buildState('waiting', 'info'), isUnderWay: connection.status === 'active' };
}

function buildState(stateText: string, tone: Tone, commands: readonly CellCommand[] = []): CellState {
  return { stateText, tone, commands };
}

function offer(commands: readonly (CellCommand | false)[]): CellCommand[] {
  return commands.filter((one) => one !== false);
}
