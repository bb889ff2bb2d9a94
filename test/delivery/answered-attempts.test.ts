/**
 * Tests the resolution of stored answers that the workflow never received, one table row per case.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttemptStep, DestinationAnswer } from '../../delivery/types.ts';
import {
  absent,
  created,
  drifted,
  found,
  POST,
  type Row,
  rateLimited,
  refused,
  TARGET,
  testTables,
  titleUsed,
  unauthorised,
  unavailable,
  unknownAnswer,
  withdrawn,
} from './support/attempts.ts';
import { playAttempt } from './support/story.ts';

const answered = (answer: object, action: 'create' | 'update' | 'withdraw' = 'create') =>
  ({
    ...TARGET,
    kind: 'conclude',
    action,
    answer: answer as DestinationAnswer,
    lateUpdateInMs: 0,
  }) satisfies AttemptStep;

const PROBED = { retry: { hasProbed: true } };

const ROWS: Row[] = [
  ['a create succeeded: delivered', answered(created), [], 'record delivered → end delivered'],
  ['an update succeeded: delivered', answered(created, 'update'), [], 'record delivered → end delivered'],
  ['a withdrawal succeeded: withdrawn', answered(withdrawn, 'withdraw'), [], 'record withdrawn → end withdrawn'],
  [
    'a withdrawal deleted the post, and the destination was disconnected since: withdrawn as deleted',
    { ...answered({ ...withdrawn, deleted: true }, 'withdraw'), connectionId: null },
    [],
    'record withdrawn (deleted) → end withdrawn',
  ],
  [
    'the post to withdraw was already deleted: withdrawn',
    answered(refused('remote_gone'), 'withdraw'),
    [],
    'record withdrawn (deleted) → end withdrawn',
  ],
  [
    'the post was edited at the destination: failed',
    answered(drifted, 'update'),
    [],
    'record failed (drifted) → end failed',
  ],
  ['the create was rejected: failed', answered(refused('invalid')), [], 'record failed (invalid) → end failed'],
  [
    'the destination was unavailable: retried after the back-off',
    answered(unavailable),
    [],
    'record retry (unavailable) → replan 2 s',
  ],
  [
    'a 429 that already blocked the account: the delivery waits for its slot',
    answered({ ...rateLimited(4_000), isBlocked: true }),
    [],
    'record retry (rate_limited) → replan 4 s',
  ],
  [
    'a 429 that has not blocked the account: the account is blocked first',
    answered(rateLimited(4_000)),
    [],
    'block 4 s → record retry (rate_limited) → replan 4 s',
  ],
  [
    'the credential was refused and the probe accepts it: retried',
    answered(unauthorised),
    ['good'],
    'record retry (unauthorised) → pause 10 s → probe → replan 2 s',
  ],
  [
    'the credential and the probe were refused: held',
    answered(unauthorised),
    ['refused'],
    'record retry (unauthorised) → pause 10 s → probe → record unauthorised → end held',
  ],
  [
    'the credential was refused again after a good probe: held',
    answered(unauthorised),
    [],
    'record unauthorised → end held',
    PROBED,
  ],
  [
    'the title was used recently and no post is found: retried after the title rule',
    answered(titleUsed),
    [absent],
    'pause 1 s → lookUp → record retry (title_recently_used) → replan 305 s',
  ],
  [
    'the title was used recently, after one wait for the title rule: failed',
    answered(titleUsed),
    [absent],
    'pause 1 s → lookUp → record failed (title_recently_used) → end failed',
    { retry: { hasRetriedCreate: true } },
  ],
  [
    'a create was rejected but saved: adopted',
    answered(refused('invalid', true)),
    [found],
    'pause 1 s → lookUp → record adopted → replan at once',
  ],
  [
    'the look-up after a rejection is interrupted: planned again, and nothing is recorded twice',
    answered(refused('invalid', true)),
    [unknownAnswer],
    'pause 1 s → lookUp → replan 2 s',
  ],
];

testTables({ 'an answer is in the ledger and its workflow never received it': ROWS });

test('the record names the attempt and the dispatch that were answered', () => {
  const step = { ...answered({ kind: 'done', remote: POST }), attemptId: 'a7', dispatch: 5 };
  const { attemptId, dispatch } = playAttempt(step, []).step;
  assert.deepEqual([attemptId, dispatch], ['a7', 5]);
});
