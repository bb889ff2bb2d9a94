/** Describes an attempt to its author: request, response and outcome. Pure. */
import { findDescriptor } from '../../../destinations/registry.ts';
import type { AttemptRow } from '../../../store/attempts/attempts.ts';
import type { Tone } from '../grid/cell.ts';
import { replaceCommandsByButtons } from '../grid/button-names.ts';

export interface DescribedAttempt {
  at: Date;
  label: string;
  account: string | null;
  /** Description of the request. */
  sent: string;
  /** Description of the response. */
  answer: string;
  answeredAt: Date | null;
  /** The outcome. */
  word: string;
  tone: Tone;
  /** The error as the destination or the network reported it. */
  reason: string | null;
  nextAttemptAt: Date | null;
}

export function describeAttempt(row: AttemptRow): DescribedAttempt {
  const { platform, account, startedAt: at, answeredAt, nextAttemptAt } = row;
  const reason = row.reason ?? (row.answerKind === 'done' ? null : row.answerReason);
  return {
    ...{ at, account, answeredAt, nextAttemptAt },
    label: findDescriptor(platform)?.label ?? platform,
    sent: describeSent(row),
    answer: describeAnswer(row),
    ...describeOutcome(row),
    reason: reason === null ? null : replaceCommandsByButtons(reason),
  };
}

const ACTIONS: Record<AttemptRow['action'], string> = {
  create: 'A new post was sent',
  update: 'The post was sent a change',
  withdraw: 'The post was asked to be taken back',
};

function describeSent({ action, revision, repeatedAt, wasSent }: AttemptRow): string {
  if (!wasSent) return 'Nothing was sent.';
  const what =
    action === 'withdraw' ? ACTIONS.withdraw : `${ACTIONS[action]}, with revision ${revision} of the article`;
  return repeatedAt === null
    ? `${what}.`
    : `${what}. The very same request was sent once more, which such a platform answers with the first post.`;
}

const ANSWERS: Record<string, string> = {
  done: 'It was accepted.',
  unknown: 'It is not known whether it arrived: the connection broke, or the answer did not say.',
  rejected: 'It was refused.',
  unavailable: 'The destination was not available.',
  rateLimited: 'The destination asked for a pause.',
  unauthorised: 'The credential was refused.',
  drifted: 'The post was changed there by somebody else.',
};

function describeAnswer({ answerKind, endedAt, outcome, code, wasSent }: AttemptRow): string {
  if (answerKind !== null) return ANSWERS[answerKind] ?? 'The destination answered.';
  if (!wasSent) return '';
  if (outcome === null && code !== null) return 'It is not known whether it was answered.';
  return endedAt === null ? 'No answer yet.' : 'No answer came.';
}

const OUTCOMES: Record<NonNullable<AttemptRow['outcome']>, [word: string, tone: Tone]> = {
  delivered: ['delivered', 'good'],
  adopted: ['found there', 'good'],
  absent: ['made nothing', 'info'],
  withdrawn: ['taken back', 'quiet'],
  failed: ['failed', 'bad'],
  retried: ['tried again', 'warn'],
  settled: ['settled by you', 'info'],
  void: ['overtaken', 'quiet'],
};

function describeOutcome({ outcome, answerKind, code }: AttemptRow): { word: string; tone: Tone } {
  if (outcome === null) {
    const isUnknown = answerKind === 'unknown' || (answerKind === null && code !== null);
    return isUnknown ? { word: 'not known', tone: 'bad' } : { word: 'open', tone: 'info' };
  }
  const [word, tone] = OUTCOMES[outcome];
  return { word, tone };
}
