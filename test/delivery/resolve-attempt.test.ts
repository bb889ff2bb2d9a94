/**
 * Tests the effects of common endings, one table row per case, and the properties of all endings.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { beginAttempt, resolveAttempt } from '../../delivery/resolve-attempt.ts';
import { NO_FAILURES } from '../../delivery/retry-state.ts';
import type { Event } from '../../delivery/types.ts';
import { runs } from '../support/property-runs.ts';
import {
  AFTER_A_DAY,
  AFTER_TWO_FAILURES,
  absent,
  assertHasReason,
  changed,
  create,
  created,
  drifted,
  early,
  found,
  late,
  lost,
  noLookUp,
  POST,
  rateLimited,
  refused,
  repeatable,
  TARGET,
  testTables,
  unauthorised,
  unavailable,
  unknownAnswer,
  update,
  withdraw,
  withdrawn,
} from './support/attempts.ts';
import { type Answer, NOW, playAttempt, playAttemptWith } from './support/story.ts';

testTables({
  'a success is recorded': [
    ['a create', create, [created], 'send create → record delivered → end delivered'],
    ['an update', update, [created], 'send update → record delivered → end delivered'],
    [
      'a create, with a newer revision due: planned again',
      create,
      [created],
      'send create → record delivered → replan at once',
      { isCurrent: false },
    ],
    [
      'a create that its activity has recorded',
      create,
      [{ ...created, recorded: { isCurrent: true } }],
      'send create → end delivered',
    ],
    [
      'an update that its activity has recorded, with a newer revision due: planned again',
      update,
      [{ ...created, recorded: { isCurrent: false } }],
      'send update → replan at once',
    ],
    ['a withdrawal', withdraw, [withdrawn], 'send withdraw → record withdrawn → end withdrawn'],
    [
      'a withdrawal that deletes',
      withdraw,
      [{ ...withdrawn, deleted: true }],
      'send withdraw → record withdrawn (deleted) → end withdrawn',
    ],
    [
      'a rejected withdrawal: failed, because the post still exists',
      withdraw,
      [refused('forbidden')],
      'send withdraw → record failed (forbidden) → end failed',
    ],
    [
      'a withdrawal of a deleted post',
      withdraw,
      [refused('remote_gone')],
      'send withdraw → record withdrawn (deleted) → end withdrawn',
    ],
  ],
  'an unavailable destination': [
    ['is retried after 2 s (F12)', create, [unavailable], 'send create → record retry (unavailable) → replan 2 s'],
    [
      'is retried after 18 s at the third failure (F12)',
      create,
      [unavailable],
      'send create → record retry (unavailable) → replan 18 s',
      AFTER_TWO_FAILURES,
    ],
    [
      'is retried after at most 15 min',
      create,
      [unavailable],
      'send create → record retry (unavailable) → replan 900 s',
      { retry: { since: NOW, failures: 40 } },
    ],
    [
      'is given up after a day, and the author is notified',
      create,
      [unavailable],
      'send create → record failed (gave_up) → end failed',
      AFTER_A_DAY,
    ],
  ],
  'a rate limit': [
    [
      'with Retry-After blocks the whole account for that time (F11)',
      create,
      [rateLimited(120_000)],
      'send create → block 120 s → record retry (rate_limited) → replan 120 s',
    ],
    [
      'without Retry-After blocks the account for a minute (F11)',
      create,
      [rateLimited(null)],
      'send create → block 60 s → record retry (rate_limited) → replan 60 s',
    ],
    [
      'with a Retry-After of 0 waits at least for the back-off (F11)',
      create,
      [rateLimited(0)],
      'send create → block at once → record retry (rate_limited) → replan 2 s',
    ],
    [
      'caused by another delivery delays the send (F11)',
      create,
      [{ kind: 'blocked', forMs: 5_000 }],
      'send create → replan 5 s (slot)',
    ],
    [
      'with a later rate slot delays the step, which is then planned again',
      create,
      [],
      'replan 4 s (slot)',
      { slotInMs: 4_000 },
    ],
  ],
  'a change of the due step during the preparation of an attempt': [
    ['sends nothing and plans again (F26)', create, [changed], 'send create → replan at once'],
  ],
});

test('a delivery and an adoption are recorded with the post from the platform’s answer', () => {
  const { effects: sent } = playAttempt(create, [created]);
  assert.deepEqual(sent[1], { kind: 'record', record: { kind: 'delivered', remote: POST } });
  const { effects: looked } = playAttempt(early, [found]);
  assert.deepEqual(looked[1], { kind: 'record', record: { kind: 'adopted', remote: POST } });
});

test('a record uses the attempt and the dispatch that were sent, not those of the plan', () => {
  const sent = playAttempt(create, [{ ...created, attemptId: 'a9', version: 9, dispatch: 8 }]).step;
  assert.deepEqual([sent.attemptId, sent.version, sent.dispatch], ['a9', 9, 8]);
  const refusedBefore = playAttempt(create, [refused('invalid')]).step;
  assert.deepEqual([refusedBefore.version, refusedBefore.dispatch], [TARGET.version, TARGET.dispatch]);
});

test('a retry is recorded with the reason of the last answer and the pause that follows', () => {
  const { effects } = playAttempt(update, [{ ...unavailable, reason: 'down for repairs' }], AFTER_TWO_FAILURES);
  const record = { code: 'unavailable', reason: 'down for repairs', isUnsettled: false, afterMs: 18_000 };
  assert.deepEqual(effects.slice(1), [
    { kind: 'record', record: { kind: 'retry', ...record } },
    { kind: 'replan', afterMs: 18_000, reason: 'down for repairs', forSlot: false },
  ]);
});

test('an event that does not match the phase throws an error', () => {
  const attempt = beginAttempt(create, NO_FAILURES);
  const events: Event[] = [
    { kind: 'blocked' },
    { kind: 'paused' },
    { kind: 'probed', isRefused: true },
    { kind: 'recorded', isCurrent: true },
  ];
  for (const event of events) {
    const message = `An attempt in the phase "plan" cannot continue with "${event.kind}".`;
    assert.throws(() => resolveAttempt(attempt, event, NOW), { message });
  }
});

test('an attempt sends at most once and reaches a conclusion with any answers', () => {
  const sends = [
    created,
    withdrawn,
    changed,
    lost,
    unknownAnswer,
    unavailable,
    unauthorised,
    rateLimited(null),
    drifted,
    refused('refused'),
    refused('refused', true),
  ];
  const looks = [
    found,
    absent,
    changed,
    unknownAnswer,
    unavailable,
    unauthorised,
    rateLimited(5),
    drifted,
    refused('refused'),
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(create, update, withdraw, early, late, noLookUp, repeatable),
      fc.record({
        send: fc.constantFrom<Answer>(...sends),
        lookUp: fc.constantFrom<Answer>(...looks),
        probe: fc.constantFrom<Answer>('refused', 'good', 'probe lost'),
      }),
      fc.record({
        retry: fc.record({ hasProbed: fc.boolean(), hasRetriedCreate: fc.boolean() }),
        isCurrent: fc.boolean(),
      }),
      (step, answers, options) => {
        const { effects } = playAttemptWith(step, (call) => answers[call === 'repeat' ? 'send' : call], options);
        assert.ok(effects.filter(({ kind }) => kind === 'send' || kind === 'repeat').length <= 1);
        effects.forEach((effect, index) => {
          assertHasReason(effect);
          if (effect.kind !== 'record' || effect.record.kind !== 'retry') return;
          // An outdated record is followed by another plan.
          if (!options.isCurrent) return;
          const wait = effects[index + 1];
          const waitMs = wait?.kind === 'replan' ? wait.afterMs : wait?.kind === 'pause' ? wait.forMs : null;
          assert.equal(effect.record.afterMs, waitMs, 'the row says how long is waited');
        });
        assert.match(effects.at(-1)?.kind ?? '', /^(?:replan|end)$/);
      },
    ),
    { numRuns: runs(100) },
  );
});
