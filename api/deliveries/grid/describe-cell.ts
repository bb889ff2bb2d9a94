/**
 * Maps a delivery to the label, tone and commands of its grid cell. Pure; the table of cases is in
 * `test/api/deliveries/cells.test.ts`.
 */
import type { DestinationKey } from '../../../article/types.ts';
import { PLATFORMS_BY_KEY } from '../../../destinations/platforms.ts';
import { findDescriptor } from '../../../destinations/registry.ts';
import { isWebAddress } from '../../../runtime/config/web-address.ts';
import type { OwnArticle } from '../../../store/articles/own-articles.ts';
import type { listConnections } from '../../../store/connections/list.ts';
import type { GridDelivery } from '../../../store/deliveries/grid.ts';
import type { DeliveryCommand } from '../run-command.ts';

export type CellArticle = Pick<OwnArticle, 'status' | 'selected' | 'imported' | 'dispatch' | 'dispatchedAt'>;

export type CellConnection = Pick<
  Awaited<ReturnType<typeof listConnections>>[number],
  'destination' | 'platform' | 'status' | 'createdAt'
>;

interface CellFacts {
  destination: DestinationKey;
  article: CellArticle;
  /** Null if the destination is not connected. */
  connection: CellConnection | null;
  /** Null if there is no delivery row yet. */
  delivery: GridDelivery | null;
}

export interface Cell {
  destination: DestinationKey;
  /** Name of the destination: "DEV". */
  label: string;
  hasDelivery: boolean;
  stateText: string;
  tone: Tone;
  url: string | null;
  /** What happened, and what to do next. */
  reason: string | null;
  nextAttemptAt: Date | null;
  /** Commands that would change something now, the most likely first. */
  commands: readonly CellCommand[];
  /** True if the author can settle the unknown outcome of the last attempt. */
  canSettle: boolean;
  /** Number of attempts. Settling refers to the last one. */
  attempts: number;
  /** True if the delivery continues only after the destination is connected (again). */
  needsConnection: boolean;
  needsAuthor: boolean;
  /** True if the state will change soon without the author. */
  isUnderWay: boolean;
}

export type Tone = 'good' | 'info' | 'warn' | 'bad' | 'quiet';

export interface CellCommand {
  command: DeliveryCommand;
  text: string;
  /** True if it reverses an earlier command of the author. Bulk retries omit it. */
  undoes?: true;
}

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
  ...{ pending: describePending, delivering: describeDelivering, delivered: describeDelivered },
  ...{ stale: describeStale, failed: describeFailed, unknown: describeUnknown, held: describeHeld },
};

function describePending({ delivery, isDue }: KnownDelivery): CellState {
  if (!isDue) return buildState('Not sent', 'quiet');
  if (delivery.error !== null) return buildUnderWay('Retrying', 'warn', [RETRY, SKIP]);
  return buildUnderWay('Waiting', 'info', [SKIP]);
}

function describeDelivering({ delivery }: KnownDelivery): CellState {
  if (delivery.error === null) return buildUnderWay('Sending', 'info');
  return buildUnderWay('Checking', 'warn', [RETRY, SKIP]);
}

function describeDelivered(known: KnownDelivery): CellState {
  if (known.shouldBeWithdrawn) return describeWithdrawing(known);
  const commands = [known.canWithdraw && WITHDRAW];
  return known.isDue && known.isUnsent
    ? buildUnderWay('Updating', 'info', commands)
    : buildState('Delivered', 'good', commands);
}

function describeStale(known: KnownDelivery): CellState {
  const { delivery, mayBeSeen, isDue, isActive, canWithdraw } = known;
  const withdraw = mayBeSeen && canWithdraw && WITHDRAW;
  if (delivery.errorCode === 'skipped') {
    return buildState('Skipped', 'quiet', [isDue && isActive && SEND_AGAIN, withdraw]);
  }
  if (delivery.errorCode === 'other_account') {
    const word = delivery.formerAccountName === null ? 'Not sent' : `At ${delivery.formerAccountName}`;
    return buildState(word, 'quiet', [isActive && SEND]);
  }
  if (known.shouldBeWithdrawn) return describeWithdrawing(known);
  if (delivery.errorCode === 'cannot_update') return buildState('Outdated', 'warn', [canWithdraw && WITHDRAW]);
  if (!mayBeSeen && !isDue) {
    const commands = [delivery.withdrawRequested === true && isActive && SEND_AGAIN];
    return buildState(delivery.withdrawnAt === null ? 'Not sent' : 'Withdrawn', 'quiet', commands);
  }
  if (!isDue) return buildState('Outdated', 'quiet', [canWithdraw && WITHDRAW]);
  if (delivery.error === null) return buildUnderWay('Updating', 'info', [SKIP, withdraw]);
  return buildUnderWay('Retrying', 'warn', [isActive && RETRY, SKIP, withdraw]);
}

/** An author who requested the withdrawal can cancel it before it is done. */
function describeWithdrawing({ delivery, isActive }: KnownDelivery): CellState {
  const commands = [delivery.withdrawRequested === true && isActive && CANCEL_WITHDRAWAL];
  const hasNoProblem = delivery.error === null && !delivery.isUncertain;
  return buildUnderWay('Withdrawing', hasNoProblem ? 'info' : 'warn', commands);
}

function describeFailed(known: KnownDelivery): CellState {
  const { delivery, mayBeSeen, isDue, isActive, canWithdraw } = known;
  const withdraw = mayBeSeen && canWithdraw && WITHDRAW;
  if (delivery.errorCode === 'skipped') return buildState('Skipped', 'quiet', [isDue && isActive && SEND_AGAIN]);
  if (delivery.errorCode === 'cannot_withdraw') return buildState('Still live', 'bad', [LEAVE_LIVE]);
  if (delivery.errorCode === 'drifted') {
    return buildState('Edited there', 'bad', [isActive && OVERWRITE, SKIP, withdraw]);
  }
  if (!isDue && !mayBeSeen) return buildState('Failed', 'quiet');
  return buildState('Failed', 'bad', [isActive && RETRY, SKIP, withdraw]);
}

function describeUnknown({ delivery, isActive, canFind }: KnownDelivery): CellState {
  if (delivery.openAction === 'create' && !canFind) return { ...buildState('Unknown', 'bad'), canSettle: true };
  return buildState('Unknown', 'bad', [isActive && RETRY, delivery.errorCode !== 'skipped' && SKIP]);
}

function describeHeld(known: KnownDelivery): CellState {
  if (!known.delivery.needsAuthor) return { ...buildState('Not sent', 'quiet'), reason: null };
  // The destination is connected now, so the delivery continues without the author.
  if (known.isActive) return buildUnderWay('Waiting', 'info', [SKIP]);
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

function buildState(stateText: string, tone: Tone, commands: readonly (CellCommand | false)[] = []): CellState {
  return { stateText, tone, commands: commands.filter((command) => command !== false) };
}

function buildUnderWay(...state: Parameters<typeof buildState>): CellState {
  return { ...buildState(...state), isUnderWay: true };
}

const BUTTONS: Record<string, string> = {
  retryDelivery: '“Retry”',
  skipDelivery: '“Skip”',
  overwriteDelivery: '“Overwrite”',
  withdrawDelivery: '“Withdraw”',
  settleDelivery: '“Resolve”',
};

export function replaceCommandsByButtons(text: string): string {
  return text.replace(/\b(?:retry|skip|overwrite|withdraw|settle)Delivery\b/g, (name) => BUTTONS[name] ?? name);
}
