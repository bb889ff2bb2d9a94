/**
 * What a cell of the grid says of a delivery, and which commands apply: decided from the ledger's row, in words that an author understands. Pure; the
 * table is in `test/api/deliveries/cells.test.ts`.
 */

import { isWebAddress } from '../../../config/web-address.ts';
import { findFormat } from '../../../destinations/format/platform-formats.ts';
import { PLATFORMS_BY_KEY } from '../../../destinations/platforms.ts';
import type { GridDelivery } from '../../../store/deliveries/grid.ts';
import type { Cell, CellCommand, CellFacts, Tone } from './cell.ts';
import { nameButtons } from './words.ts';

export function describeCell(facts: CellFacts): Cell {
  const { destination, connection, delivery } = facts;
  const platform = delivery?.platform ?? connection?.platform ?? PLATFORMS_BY_KEY[destination][0] ?? '';
  const format = findFormat(platform);
  const base = { ...EMPTY, destination, label: format?.label ?? platform, isKnown: delivery !== null };
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
  const said = STATES[delivery.state](known);
  const cell: Cell = {
    ...base,
    url: delivery.remoteUrl !== null && isWebAddress(delivery.remoteUrl) ? delivery.remoteUrl : null,
    reason: describeReason(delivery),
    nextAttemptAt: delivery.nextAttemptAt,
    attempts: delivery.attempts,
    needsAuthor: delivery.needsAuthor,
    ...said,
    isUnderWay: said.isUnderWay === true && known.isActive,
  };
  return cell.needsAuthor && !known.isActive ? { ...cell, needsConnection: true } : cell;
}

interface Known {
  delivery: GridDelivery;
  /** Its article is public and wanted there. */
  isDue: boolean;
  /** Readers find a copy there, or may. */
  mayBeSeen: boolean;
  /** Such a copy that should not be there. */
  shouldBeWithdrawn: boolean;
  isActive: boolean;
  canFind: boolean;
  canWithdraw: boolean;
  /** The last publish was not answered yet. */
  isUnsent: boolean;
}

type Said = Pick<Cell, 'word' | 'tone'> & Partial<Cell>;

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

/** What may be seen stands first: the grid cuts long reasons. */
function describeReason({ error, isUncertain }: GridDelivery): string | null {
  const parts = [isUncertain && PERHAPS_BACK, error !== null && nameButtons(error)].filter(Boolean);
  return parts.length === 0 ? null : parts.join(' ');
}

const PERHAPS_BACK =
  'It was published again after it was withdrawn, and no answer says whether that arrived: readers may find it there.';

const STATES: Record<GridDelivery['state'], (known: Known) => Said> = {
  pending: describePending,
  delivering: describeDelivering,
  delivered: describeDelivered,
  stale: describeStale,
  failed: describeFailed,
  unknown: describeUnknown,
  held: describeHeld,
};

function describePending({ delivery, isDue }: Known): Said {
  if (!isDue) return say('not sent', 'quiet');
  if (delivery.error !== null) return { ...say('trying again', 'warn', [RETRY, SKIP]), isUnderWay: true };
  return { ...say('waiting', 'info', [SKIP]), isUnderWay: true };
}

function describeDelivering({ delivery }: Known): Said {
  if (delivery.error === null) return { ...say('sending', 'info'), isUnderWay: true };
  return { ...say('finding out', 'warn', [RETRY, SKIP]), isUnderWay: true };
}

function describeDelivered(known: Known): Said {
  if (known.shouldBeWithdrawn) return describeWithdrawing(known);
  const commands = offer([known.canWithdraw && WITHDRAW]);
  if (known.isDue && known.isUnsent) return { ...say('updating', 'info', commands), isUnderWay: true };
  return say('delivered', 'good', commands);
}

function describeStale(known: Known): Said {
  const { delivery, mayBeSeen, isDue, isActive, canWithdraw } = known;
  const isRefusedThere = delivery.errorCode === 'cannot_update';
  if (delivery.errorCode === 'skipped') {
    const withdraw = mayBeSeen && canWithdraw && WITHDRAW;
    return say('skipped', 'quiet', offer([isDue && isActive && SEND_AGAIN, withdraw]));
  }
  if (delivery.errorCode === 'other_account') {
    const place = delivery.elsewhere === null ? 'not sent' : `at ${delivery.elsewhere}`;
    return say(place, 'quiet', offer([isActive && SEND]));
  }
  if (known.shouldBeWithdrawn) return describeWithdrawing(known);
  if (isRefusedThere) return say('older text there', 'warn', offer([canWithdraw && WITHDRAW]));
  if (!mayBeSeen && !isDue) {
    const commands = offer([delivery.withdrawRequested === true && isActive && SEND_AGAIN]);
    return say(delivery.withdrawnAt === null ? 'not sent' : 'withdrawn', 'quiet', commands);
  }
  if (!isDue) return say('older text there', 'quiet', offer([canWithdraw && WITHDRAW]));
  const withdraw = mayBeSeen && canWithdraw && WITHDRAW;
  if (delivery.error === null) return { ...say('updating', 'info', offer([SKIP, withdraw])), isUnderWay: true };
  return { ...say('trying again', 'warn', offer([isActive && RETRY, SKIP, withdraw])), isUnderWay: true };
}

/** An author who asked for it may have it back before it is done. */
function describeWithdrawing({ delivery, isActive }: Known): Said {
  const commands = offer([delivery.withdrawRequested === true && isActive && KEEP]);
  const isSmooth = delivery.error === null && !delivery.isUncertain;
  return { ...say('withdrawing', isSmooth ? 'info' : 'warn', commands), isUnderWay: true };
}

function describeFailed(known: Known): Said {
  const { delivery, mayBeSeen, isDue, isActive, canWithdraw } = known;
  const withdraw = mayBeSeen && canWithdraw && WITHDRAW;
  if (delivery.errorCode === 'skipped') return say('skipped', 'quiet', offer([isDue && isActive && SEND_AGAIN]));
  if (delivery.errorCode === 'cannot_withdraw') return say('still there', 'bad', [LEAVE]);
  if (delivery.errorCode === 'drifted') {
    return say('changed there', 'bad', offer([isActive && OVERWRITE, SKIP, withdraw]));
  }
  if (!isDue && !mayBeSeen) return say('failed', 'quiet');
  return say('failed', 'bad', offer([isActive && RETRY, SKIP, withdraw]));
}

function describeUnknown({ delivery, isActive, canFind }: Known): Said {
  if (delivery.openAction === 'create' && !canFind) {
    return { ...say('not known', 'bad'), canSettle: true };
  }
  return say('not known', 'bad', offer([isActive && RETRY, delivery.errorCode !== 'skipped' && SKIP]));
}

function describeHeld(known: Known): Said {
  if (!known.delivery.needsAuthor) return { ...say('not sent', 'quiet'), reason: null };
  // By now it is connected: it goes out by itself.
  if (known.isActive) return { ...say('waiting', 'info', [SKIP]), isUnderWay: true };
  return say('waits for you', 'warn', [SKIP]);
}

function describeAbsence(facts: CellFacts): Said {
  const { article, connection, destination } = facts;
  if (article.imported) return say('imported', 'quiet');
  if (!article.selected.includes(destination)) return say('not asked for', 'quiet');
  if (article.status === 'SCHEDULED' && connection !== null) return say('planned', 'quiet');
  if (article.status !== 'PUBLISHED') return say('not sent', 'quiet');
  if (connection === null) return say('not connected', 'quiet');
  // What was published before its destination was connected is not sent by itself.
  if (article.dispatchedAt < connection.createdAt) {
    return {
      ...say('not sent', 'quiet'),
      reason: 'Connected after it was published: send it from the page of the connection, or publish it again.',
    };
  }
  return { ...say('waiting', 'info'), isUnderWay: connection.status === 'active' };
}

function say(word: string, tone: Tone, commands: readonly CellCommand[] = []): Said {
  return { word, tone, commands };
}

function offer(commands: readonly (CellCommand | false)[]): CellCommand[] {
  return commands.filter((one) => one !== false);
}
