/** Tests what operators read about an attempt that ends or waits, and what its record contains. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttemptStep, RecordedOutcome } from '../../delivery/types.ts';
import {
  AFTER_A_DAY,
  absent,
  changed,
  create,
  created,
  early,
  found,
  late,
  lost,
  noLookUp,
  POST,
  type Row,
  rateLimited,
  refused,
  repeatable,
  TARGET,
  titleUsed,
  unauthorised,
  unavailable,
  unknownAnswer,
  update,
  withdraw,
  withdrawn,
} from './support/attempts.ts';
import { playAttempt } from './support/story.ts';

const CANNOT_LOOK_UP =
  'Unknown whether the post was created: the destination did not confirm it, and Courant cannot check. Check there and report the result (settleDelivery). Nothing more is sent until then.';
const undoable: AttemptStep = { ...TARGET, kind: 'withdraw', lateUpdateInMs: 1 };
const NOT_CURRENT = { isCurrent: false };

for (const [what, step, answers, reason, options] of [
  ['a delivery', create, [created], 'delivered to the destination'],
  ['a delivery with a newer revision due', create, [created], 'delivered', NOT_CURRENT],
  ['a post that was found', early, [found], 'found and adopted'],
  ['a look-up that proves that there is no post', late, [absent], 'the attempt created no post'],
  ['a look-up that finds no post yet', early, [absent], 'not there yet; checking once more'],
  ['a withdrawal', withdraw, [withdrawn], 'withdrawn at the destination'],
  [
    'a withdrawal that an earlier update may undo',
    undoable,
    [withdrawn],
    'withdrawn, but an earlier update may still arrive',
  ],
  [
    'a withdrawal that deleted the post, so that no update restores it',
    undoable,
    [{ ...withdrawn, deleted: true }],
    'withdrawn at the destination',
  ],
  [
    'the wait for an earlier request',
    { ...TARGET, kind: 'wait', settleInMs: 5_000 },
    [],
    'an earlier request may still arrive there',
  ],
  ['the wait for a slot', create, [], 'waiting for the account’s rate slot', { slotInMs: 1 }],
  ['a used-up rate limit', create, [{ kind: 'blocked', forMs: 1 }], 'the account’s rate limit is used up'],
  ['a send when another step is due', create, [changed], 'something else is due'],
  ['a look-up when another step is due', early, [changed], 'something else is due'],
  [
    'a look-up after a rejection when another step is due',
    create,
    [refused('invalid', true), changed],
    'something else is due',
  ],
  ['a record when another step is due', create, [refused('invalid')], 'something else is due', NOT_CURRENT],
  ['a lost worker', create, [{ ...lost, reason: 'The worker stopped.' }], 'The worker stopped.'],
  ['a create without an answer', create, [unknownAnswer], 'it was cut'],
  ['a plan that fails', { ...TARGET, kind: 'broken', problem: 'no such column' }, [], 'no such column'],
  ['an interrupted look-up after a rejection', create, [refused('invalid', true), unknownAnswer], 'it was cut'],
  ['a rejection', create, [refused('invalid')], 'invalid'],
  ['a rejected look-up', early, [refused('forbidden')], 'Could not check whether the post was created: forbidden'],
  [
    'a day of failures',
    create,
    [{ ...unavailable, reason: '503' }],
    'Gave up after retrying for a day. Last problem: 503',
    AFTER_A_DAY,
  ],
  [
    'a day without any response',
    late,
    [absent],
    'Gave up after retrying for a day. Last problem: No attempt received a response.',
    AFTER_A_DAY,
  ],
  ['an unknown create that cannot be looked up', noLookUp, [], CANNOT_LOOK_UP],
  ['an unknown create that the repeat does not resolve', repeatable, [unavailable], CANNOT_LOOK_UP],
  [
    'the wait for the repeat',
    { ...repeatable, repeatInMs: 1 },
    [],
    'repeating the same request to get the result of the first',
  ],
  ['a lost repeat', repeatable, [lost], 'looking up the result of the repeat'],
  ['a refused credential that the probe accepts', create, [unauthorised, 'good'], 'checking the credential again'],
  ['a refused credential', create, [unauthorised, 'refused'], 'bad key'],
] satisfies Row[]) {
  test(`the reason after ${what}: ${reason}`, () => {
    const last = playAttempt(step, answers, options).effects.at(-1);
    assert.ok(last?.kind === 'end' || last?.kind === 'replan');
    assert.equal(last.reason, reason);
  });
}

for (const [what, step, answers, ...records] of [
  ['a look-up without a result', late, [absent], { kind: 'absent' }],
  ['a withdrawal', withdraw, [withdrawn], { kind: 'withdrawn', deleted: false, mayReturn: false }],
  [
    'a withdrawal that an earlier update may undo',
    undoable,
    [withdrawn],
    { kind: 'withdrawn', deleted: false, mayReturn: true },
  ],
  [
    'a withdrawal that deleted the post',
    undoable,
    [{ ...withdrawn, deleted: true }],
    { kind: 'withdrawn', deleted: true, mayReturn: false },
  ],
  ['a repeat that gets the post', repeatable, [created], { kind: 'delivered', remote: POST }],
  [
    'a rejection',
    update,
    [{ ...titleUsed, mayBeSaved: false } as typeof titleUsed],
    { kind: 'failed', state: 'failed', code: 'title_recently_used', reason: 'title_recently_used' },
  ],
  [
    'a rate limit',
    update,
    [rateLimited(5_000)],
    { kind: 'retry', code: 'rate_limited', reason: '429', isUnsettled: false, afterMs: 5_000 },
  ],
  [
    'the title rule',
    create,
    [titleUsed, absent],
    {
      ...{ kind: 'retry', code: 'title_recently_used', reason: 'title_recently_used' },
      ...{ isUnsettled: false, afterMs: 305_000 },
    },
  ],
  [
    'a refused credential',
    create,
    [unauthorised, 'refused'],
    { kind: 'retry', code: 'unauthorised', afterMs: 10_000, reason: 'bad key', isUnsettled: false },
    { kind: 'unauthorised', reason: 'bad key', isUnsettled: false },
  ],
  [
    'a refused look-up',
    early,
    [unauthorised, 'refused'],
    { kind: 'retry', code: 'unauthorised', afterMs: 10_000, reason: 'bad key', isUnsettled: true },
    { kind: 'unauthorised', reason: 'bad key', isUnsettled: true },
  ],
] satisfies [string, Row[1], Row[2], ...RecordedOutcome[]][]) {
  test(`the record of ${what} is complete`, () => {
    const { effects } = playAttempt(step, answers);
    assert.deepEqual(
      effects.flatMap((effect) => (effect.kind === 'record' ? [effect.record] : [])),
      records,
    );
  });
}
