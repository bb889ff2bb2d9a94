/** What follows where the destination has answered and the workflow never heard of it: the same as if it had. A row per case. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttemptStep, DestinationAnswer } from '../../delivery/types.ts';
import {
  absent,
  cut,
  drifted,
  found,
  made,
  POST,
  type Row,
  rateLimited,
  refused,
  TARGET,
  testTables,
  unauthorised,
  unavailable,
  withdrawn,
} from './support/attempts.ts';
import { playAttempt } from './support/story.ts';

const answered = (answer: object, action: 'create' | 'update' | 'withdraw' = 'create') =>
  ({
    ...TARGET,
    kind: 'resolve',
    action,
    answer: answer as DestinationAnswer,
    lateUpdateInMs: 0,
  }) satisfies AttemptStep;

const titleUsed = refused('title_recently_used', true);
const PROBED = { retry: { probed: true } };

const ROWS: Row[] = [
  ['made: delivered', answered(made), [], 'record delivered → end delivered'],
  ['changed: delivered', answered(made, 'update'), [], 'record delivered → end delivered'],
  ['taken back: withdrawn', answered(withdrawn, 'withdraw'), [], 'record withdrawn → end withdrawn'],
  [
    'taken back for good, and its destination was disconnected since: the answer knows that the post is gone',
    { ...answered({ ...withdrawn, deleted: true }, 'withdraw'), connectionId: null },
    [],
    'record withdrawn (deleted) → end withdrawn',
  ],
  [
    'gone before it was to be taken back: withdrawn',
    answered(refused('remote_gone'), 'withdraw'),
    [],
    'record withdrawn (deleted) → end withdrawn',
  ],
  ['changed by hand: refused', answered(drifted, 'update'), [], 'record failed (drifted) → end failed'],
  ['refused: failed', answered(refused('invalid')), [], 'record failed (invalid) → end failed'],
  ['unavailable: tried again after the back-off', answered(unavailable), [], 'record retry (unavailable) → replan 2 s'],
  [
    'a 429, and the delivery kept its place: it waits there',
    answered({ ...rateLimited(4_000), isBlocked: true }),
    [],
    'record retry (rate_limited) → replan 4 s',
  ],
  [
    'a 429, and its place is gone: the account is blocked first',
    answered(rateLimited(4_000)),
    [],
    'block 4 s → record retry (rate_limited) → replan 4 s',
  ],
  [
    'the credential was refused: probed, and tried again with it',
    answered(unauthorised),
    ['good'],
    'record retry (unauthorised) → pause 10 s → probe → replan 2 s',
  ],
  [
    'the credential was refused, and the probe is too: held',
    answered(unauthorised),
    ['refused'],
    'record retry (unauthorised) → pause 10 s → probe → record unauthorised → end held',
  ],
  ['refused once more after a good probe: held', answered(unauthorised), [], 'record unauthorised → end held', PROBED],
  [
    'its title was used lately: looked for, and sent again when that is over',
    answered(titleUsed),
    [absent],
    'pause 1 s → look → record retry (title_recently_used) → replan 305 s',
  ],
  [
    'its title was used lately, and that was waited for once: failed',
    answered(titleUsed),
    [absent],
    'pause 1 s → look → record failed (title_recently_used) → end failed',
    { retry: { titleWaited: true } },
  ],
  [
    'refused and saved all the same: adopted',
    answered(refused('invalid', true)),
    [found],
    'pause 1 s → look → record adopted → replan at once',
  ],
  [
    'the look behind the refusal is cut: looked for again from the row, and nothing is recorded twice',
    answered(refused('invalid', true)),
    [cut],
    'pause 1 s → look → replan 2 s',
  ],
];

testTables({ 'the answer is in the ledger, and its workflow never heard of it': ROWS });

test('what is recorded is of the attempt and the publish that were answered', () => {
  const step = { ...answered({ kind: 'done', remote: POST }), attemptId: 'a7', dispatch: 5 };
  const { attemptId, dispatch } = playAttempt(step, []).step;
  assert.deepEqual([attemptId, dispatch], ['a7', 5]);
});
