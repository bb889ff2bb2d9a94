/** The words for an attempt in the delivery history: request, response and outcome. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeAttempt } from '../../../api/deliveries/article/describe-attempt.ts';
import type { AttemptRow } from '../../../store/attempts/attempts.ts';

const [STARTED, ANSWERED, NEXT] = ['10:00', '10:01', '10:15'].map((time) => new Date(`2026-06-01T${time}:00Z`)) as [
  Date,
  Date,
  Date,
];

const OPEN: AttemptRow = {
  ...{ destination: 'blogsite_a', platform: 'forem', account: '@ada', action: 'create', revision: 3, wasSent: true },
  ...{ startedAt: STARTED, repeatedAt: null, answeredAt: null, endedAt: null, nextAttemptAt: null },
  ...{ outcome: null, code: null, reason: null, answerKind: null, answerReason: null },
};

test('an attempt has the label of its platform, its account and its times', () => {
  assert.deepEqual(describeAttempt({ ...OPEN, answeredAt: ANSWERED, nextAttemptAt: NEXT, answerKind: 'unavailable' }), {
    ...{ at: STARTED, account: '@ada', answeredAt: ANSWERED, nextAttemptAt: NEXT, label: 'DEV', reason: null },
    ...{ sent: 'Create request sent (revision 3).', answer: 'The destination was unavailable.' },
    ...{ word: 'In progress', tone: 'info' },
  });
  assert.equal(describeAttempt({ ...OPEN, platform: 'unknown-platform' as 'forem' }).label, 'unknown-platform');
});

for (const [row, sent] of [
  [{}, 'Create request sent (revision 3).'],
  [{ action: 'update' }, 'Update request sent (revision 3).'],
  [{ action: 'withdraw' }, 'Withdrawal request sent.'],
  [{ wasSent: false }, 'Nothing was sent.'],
  [
    { repeatedAt: ANSWERED },
    'Create request sent (revision 3). The same request was sent a second time; this platform answers a repeated request with the first post.',
  ],
] satisfies [Partial<AttemptRow>, string][]) {
  test(`the request of an attempt: ${sent}`, () => assert.equal(describeAttempt({ ...OPEN, ...row }).sent, sent));
}

for (const [row, answer] of [
  [{ answerKind: 'done' }, 'Accepted.'],
  [{ answerKind: 'unknown' }, 'The result is unknown: the connection broke, or the response was inconclusive.'],
  [{ answerKind: 'rejected' }, 'Rejected.'],
  [{ answerKind: 'unavailable' }, 'The destination was unavailable.'],
  [{ answerKind: 'rateLimited' }, 'The destination limited the rate.'],
  [{ answerKind: 'unauthorised' }, 'The credential was rejected.'],
  [{ answerKind: 'drifted' }, 'The copy was edited at the destination.'],
  [{ answerKind: 'of a later version' }, 'The destination responded.'],
  [{ wasSent: false }, ''],
  [{ code: 'outcome_unknown' }, 'It is not known whether the destination responded.'],
  [{ code: 'outcome_unknown', outcome: 'settled', endedAt: ANSWERED }, 'No response received.'],
  [{}, 'No response yet.'],
  [{ endedAt: ANSWERED, outcome: 'void' }, 'No response received.'],
] satisfies [Partial<AttemptRow>, string][]) {
  test(`the response to an attempt: ${answer || 'none if nothing was sent'}`, () =>
    assert.equal(describeAttempt({ ...OPEN, ...row }).answer, answer));
}

for (const [row, word, tone] of [
  [{}, 'In progress', 'info'],
  [{ answerKind: 'done' }, 'In progress', 'info'],
  [{ answerKind: 'done', code: 'x' }, 'In progress', 'info'],
  [{ answerKind: 'unknown' }, 'Unknown', 'bad'],
  [{ code: 'outcome_unknown' }, 'Unknown', 'bad'],
  [{ outcome: 'delivered', answerKind: 'unknown' }, 'Delivered', 'good'],
  [{ outcome: 'adopted' }, 'Copy found', 'good'],
  [{ outcome: 'absent' }, 'No post created', 'info'],
  [{ outcome: 'withdrawn' }, 'Withdrawn', 'quiet'],
  [{ outcome: 'failed' }, 'Failed', 'bad'],
  [{ outcome: 'retried' }, 'Retried', 'warn'],
  [{ outcome: 'settled' }, 'Resolved by you', 'info'],
  [{ outcome: 'void' }, 'Superseded', 'quiet'],
] satisfies [Partial<AttemptRow>, string, string][]) {
  test(`the outcome of an attempt (${JSON.stringify(row)}): ${word}`, () => {
    const described = describeAttempt({ ...OPEN, ...row });
    assert.deepEqual([described.word, described.tone], [word, tone]);
  });
}

for (const [row, reason] of [
  [{ reason: 'Use retryDelivery.', answerReason: 'Other.' }, 'Use “Retry”.'],
  [{ answerKind: 'rejected', answerReason: 'The title is taken.' }, 'The title is taken.'],
  [{ answerKind: 'done', answerReason: 'Created.' }, null],
  [{ answerKind: 'done', reason: 'It was late.' }, 'It was late.'],
] satisfies [Partial<AttemptRow>, string | null][]) {
  test(`the reason of an attempt: ${reason ?? 'none after success'}`, () =>
    assert.equal(describeAttempt({ ...OPEN, ...row }).reason, reason));
}
