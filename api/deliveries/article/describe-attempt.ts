/** Describes an attempt to its author: request, response and outcome. Pure. */
import { findDescriptor } from '../../../destinations/registry.ts';
import type { AttemptRow } from '../../../store/attempts/attempts.ts';
import { replaceCommandsByButtons, type Tone } from '../grid/describe-cell.ts';

export function describeAttempt(row: AttemptRow) {
  const { platform, account, startedAt: at, answeredAt, nextAttemptAt } = row;
  const reason = row.reason ?? (row.answerKind === 'done' ? null : row.answerReason);
  return {
    ...{ at, account, answeredAt, nextAttemptAt },
    label: findDescriptor(platform)?.label ?? platform,
    sent: describeRequest(row),
    answer: describeResponse(row),
    ...describeOutcome(row),
    /** The error as the destination or the network reported it. */
    reason: reason === null ? null : replaceCommandsByButtons(reason),
  };
}

const ACTIONS: Record<AttemptRow['action'], string> = {
  create: 'Create request sent',
  update: 'Update request sent',
  withdraw: 'Withdrawal request sent',
};

function describeRequest({ action, revision, repeatedAt, wasSent }: AttemptRow): string {
  if (!wasSent) return 'Nothing was sent.';
  const request = action === 'withdraw' ? ACTIONS.withdraw : `${ACTIONS[action]} (revision ${revision})`;
  return repeatedAt === null
    ? `${request}.`
    : `${request}. The same request was sent a second time; this platform answers a repeated request with the first post.`;
}

const RESPONSES: Record<string, string> = {
  done: 'Accepted.',
  unknown: 'The result is unknown: the connection broke, or the response was inconclusive.',
  rejected: 'Rejected.',
  unavailable: 'The destination was unavailable.',
  rateLimited: 'The destination limited the rate.',
  unauthorised: 'The credential was rejected.',
  drifted: 'The copy was edited at the destination.',
};

function describeResponse({ answerKind, endedAt, outcome, code, wasSent }: AttemptRow): string {
  if (answerKind !== null) return RESPONSES[answerKind] ?? 'The destination responded.';
  if (!wasSent) return '';
  if (outcome === null && code !== null) return 'It is not known whether the destination responded.';
  return endedAt === null ? 'No response yet.' : 'No response received.';
}

const OUTCOMES: Record<NonNullable<AttemptRow['outcome']>, [word: string, tone: Tone]> = {
  delivered: ['Delivered', 'good'],
  adopted: ['Copy found', 'good'],
  absent: ['No post created', 'info'],
  withdrawn: ['Withdrawn', 'quiet'],
  failed: ['Failed', 'bad'],
  retried: ['Retried', 'warn'],
  settled: ['Resolved by you', 'info'],
  void: ['Superseded', 'quiet'],
};

function describeOutcome({ outcome, answerKind, code }: AttemptRow): { word: string; tone: Tone } {
  if (outcome === null) {
    const isUnknown = answerKind === 'unknown' || (answerKind === null && code !== null);
    return isUnknown ? { word: 'Unknown', tone: 'bad' } : { word: 'In progress', tone: 'info' };
  }
  const [word, tone] = OUTCOMES[outcome];
  return { word, tone };
}
