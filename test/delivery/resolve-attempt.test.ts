/** What every ending of an attempt means, as a table: a row a case, with the effects in their order. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { AttemptStep, CallFailure } from '../../delivery/types.ts';
import { type Answer, NOW, play, playWith, type StoryOptions } from './support/story.ts';

const TARGET = {
  deliveryId: 'd',
  attempt: 3,
  dispatch: 1,
  connectionId: 'c',
  credentialVersion: 0,
  readLagMs: 1_000,
  canFind: true,
  withdraw: 'unpublished',
} as const;

const create: AttemptStep = { ...TARGET, kind: 'create' };
const update: AttemptStep = { ...TARGET, kind: 'update' };
const withdraw: AttemptStep = { ...TARGET, kind: 'withdraw' };
const early: AttemptStep = { ...TARGET, kind: 'reconcile', settleInMs: 18_000, repeatInMs: null };
const settled: AttemptStep = { ...early, settleInMs: 0 };
const unasked = { ...early, canFind: false };
const repeatable: AttemptStep = { ...unasked, repeatInMs: 0 };

const SENT = { attempt: 4, dispatch: 1 };
const POST = { remoteId: 'r', url: 'https://there.example/r', changedAt: null };
const made = { kind: 'done', remote: POST, ...SENT } as const;
const takenBack = { kind: 'done', remote: null, ...SENT } as const;
const found = { kind: 'done', value: POST } as const;
const absent = { kind: 'done', value: null } as const;
const changed = { kind: 'changed' } as const;
const lost = { kind: 'lost', reason: 'lost' } as const;
const cut = { kind: 'unknown', reason: 'it was cut', ...SENT } as const;
const away = { kind: 'unavailable', reason: 'it is away', ...SENT } as const;
const refusedKey = { kind: 'unauthorised', reason: 'bad key', ...SENT } as const;
const limited = (retryAfterMs: number | null) =>
  ({ kind: 'rateLimited', retryAfterMs, reason: '429', ...SENT }) as const;
const refused = (code: string, maybeSaved = false): CallFailure => ({
  kind: 'rejected',
  code,
  reason: code,
  maybeSaved,
});
const drifted = { kind: 'drifted', changedAt: 't', reason: 'changed by hand', ...SENT } as const;

const A_DAY = 24 * 60 * 60_000;
const IMPATIENT = { retry: { since: NOW - A_DAY - 1, failures: 90 } };
const TWICE = { retry: { since: NOW - 10_000, failures: 2 } };

type Row = [what: string, step: AttemptStep, answers: Answer[], story: string, options?: StoryOptions];

const TABLES: Record<string, Row[]> = {
  'what is done is recorded': [
    ['a create', create, [made], 'send create → record delivered → end delivered'],
    ['an update', update, [made], 'send update → record delivered → end delivered'],
    [
      'a newer revision came meanwhile: planned again',
      create,
      [made],
      'send create → record delivered → replan at once',
      { isCurrent: false },
    ],
    ['a withdrawal', withdraw, [takenBack], 'send withdraw → record withdrawn → end withdrawn'],
    [
      'a withdrawal that deletes',
      { ...withdraw, withdraw: 'deleted' },
      [takenBack],
      'send withdraw → record withdrawn (deleted) → end withdrawn',
    ],
    [
      'a withdrawal of what is gone already',
      withdraw,
      [refused('remote_gone')],
      'send withdraw → record withdrawn → end withdrawn',
    ],
  ],
  'a create of unknown outcome is looked up, never repeated blindly': [
    [
      'the connection was cut, or the answer timed out: the next plan looks, at once (F2, F9)',
      create,
      [cut],
      'send create → replan at once',
    ],
    [
      'the worker was killed: the next plan reads the row, after a pause (F1, F2)',
      create,
      [lost],
      'send create → replan 2 s',
    ],
    [
      'the look finds the post: adopted, and updated by the next plan (F2, F9)',
      early,
      [found],
      'look → record adopted → replan at once',
    ],
    [
      'not there, and it may still arrive: looked up again when the settle time is over (F9)',
      early,
      [absent],
      'look → replan 18 s',
    ],
    [
      'not there when the settle time is over: created again at once (F1)',
      settled,
      [absent],
      'look → record absent → replan at once',
      { retry: { since: NOW, failures: 1 } },
    ],
    [
      'not there for the second time: created again after a pause',
      settled,
      [absent],
      'look → record absent → replan 2 s',
      TWICE,
    ],
    [
      'not there after a day of such attempts: given up',
      settled,
      [absent],
      'look → record failed (gave_up) → end failed',
      IMPATIENT,
    ],
    ['something else is due by now: planned again', early, [changed], 'look → replan at once'],
    [
      'the look is cut: tried again, the create stays in flight',
      early,
      [cut],
      'look → record retry (unknown_outcome, in flight) → replan 2 s',
    ],
    [
      'the destination is away for the look (F12)',
      early,
      [away],
      'look → record retry (unknown_outcome, in flight) → replan 2 s',
    ],
    [
      '… for a day: given up, and nobody knows',
      early,
      [away],
      'look → record unknown (gave_up) → end unknown',
      IMPATIENT,
    ],
    [
      'the look meets a 429 (F11)',
      early,
      [limited(30_000)],
      'look → block 30 s → record retry (rate_limited, in flight) → replan 30 s',
    ],
    [
      'the look is refused for good: nobody knows',
      early,
      [refused('forbidden')],
      'look → record unknown (forbidden) → end unknown',
    ],
    [
      'the look meets a refused credential (F13)',
      early,
      [refusedKey, 'refused'],
      'look → record retry (unauthorised, in flight) → pause 10 s → probe → record unauthorised (in flight) → end held',
    ],
  ],
  'at a platform that cannot be asked': [
    [
      'nobody knows, and its author is told to look (F3)',
      unasked,
      [],
      'record unknown (outcome_unknown) → end unknown',
    ],
    [
      'the same request is sent once more, when its time has come (F3)',
      { ...repeatable, repeatInMs: 60_000 },
      [],
      'replan 60 s',
    ],
    [
      'the repeat is answered with the post: delivered (F3)',
      repeatable,
      [made],
      'repeat → record delivered → end delivered',
    ],
    [
      'the repeat gets no answer either: nobody knows (F3)',
      repeatable,
      [cut],
      'repeat → record unknown (outcome_unknown) → end unknown',
    ],
    [
      'the destination is away for the repeat: nobody knows',
      repeatable,
      [away],
      'repeat → record unknown (outcome_unknown) → end unknown',
    ],
    [
      'the repeat is taken for a duplicate of another post: that one is not ours',
      repeatable,
      [refused('duplicate_of_other')],
      'repeat → record failed (duplicate_of_other) → end failed',
    ],
    [
      'the repeat is refused otherwise: nobody knows',
      repeatable,
      [refused('invalid')],
      'repeat → record unknown (outcome_unknown) → end unknown',
    ],
    [
      'the worker is lost in the repeat: the row tells that it is used up',
      repeatable,
      [lost],
      'repeat → replan at once',
    ],
    ['something else is due by now: planned again', repeatable, [changed], 'repeat → replan at once'],
  ],
  'an update or a withdrawal of unknown outcome is repeated, since it names its post': [
    ['an update', update, [cut], 'send update → record retry (unknown_outcome) → replan 2 s'],
    ['a withdrawal', withdraw, [cut], 'send withdraw → record retry (unknown_outcome) → replan 2 s'],
    ['for a day: given up', update, [cut], 'send update → record failed (gave_up) → end failed', IMPATIENT],
  ],
  'a destination that is away': [
    ['first 2 s (F12)', create, [away], 'send create → record retry (unavailable) → replan 2 s'],
    ['then 6 s, 18 s … (F12)', create, [away], 'send create → record retry (unavailable) → replan 18 s', TWICE],
    [
      'never more than 15 min',
      create,
      [away],
      'send create → record retry (unavailable) → replan 900 s',
      { retry: { since: NOW, failures: 40 } },
    ],
    [
      'for a day: given up, and its author is told',
      create,
      [away],
      'send create → record failed (gave_up) → end failed',
      IMPATIENT,
    ],
  ],
  'a rate limit': [
    [
      'with Retry-After: the whole account waits so long (F11)',
      create,
      [limited(120_000)],
      'send create → block 120 s → record retry (rate_limited) → replan 120 s',
    ],
    [
      'without: a minute (F11)',
      create,
      [limited(null)],
      'send create → block 60 s → record retry (rate_limited) → replan 60 s',
    ],
    [
      'of no time: at least the back-off (F11)',
      create,
      [limited(0)],
      'send create → block at once → record retry (rate_limited) → replan 2 s',
    ],
    [
      'another delivery met it: nothing is sent before it is over (F11)',
      create,
      [{ kind: 'blocked', forMs: 5_000 }],
      'send create → replan 5 s (slot)',
    ],
    [
      'a rate slot lies ahead: nothing is sent before it, and the step is planned anew then',
      create,
      [],
      'replan 4 s (slot)',
      { slotInMs: 4_000 },
    ],
  ],
  'a refused credential': [
    [
      'is probed once more and refused again: held, one event (F13)',
      create,
      [refusedKey, 'refused'],
      'send create → record retry (unauthorised) → pause 10 s → probe → record unauthorised → end held',
    ],
    [
      'is good by now: tried again',
      create,
      [refusedKey, 'good'],
      'send create → record retry (unauthorised) → pause 10 s → probe → replan 2 s',
    ],
    [
      'cannot be probed: tried again',
      create,
      [refusedKey, 'probe lost'],
      'send create → record retry (unauthorised) → pause 10 s → probe → replan 2 s',
    ],
    [
      'was probed before: held without another probe (F13)',
      create,
      [refusedKey],
      'send create → record unauthorised → end held',
      { retry: { probed: true } },
    ],
    [
      'was replaced meanwhile: the new one is tried (F13)',
      create,
      [refusedKey],
      'send create → record unauthorised → replan at once',
      { retry: { probed: true }, isCurrent: false },
    ],
  ],
  'a refusal': [
    ['is the end, with its reason', create, [refused('invalid')], 'send create → record failed (invalid) → end failed'],
    ['of an update', update, [refused('remote_gone')], 'send update → record failed (remote_gone) → end failed'],
    [
      'that may have saved the post: looked up, and adopted (F10)',
      create,
      [refused('invalid', true), found],
      'send create → pause 1 s → look → record adopted → replan at once',
    ],
    [
      'that saved nothing: the end (F10)',
      create,
      [refused('invalid', true), absent],
      'send create → pause 1 s → look → record failed (invalid) → end failed',
    ],
    [
      'that may have saved, while something else is due by now',
      create,
      [refused('invalid', true), changed],
      'send create → pause 1 s → look → replan at once',
    ],
    [
      'that may have saved, and the look fails: planned again, which looks again',
      create,
      [refused('invalid', true), away],
      'send create → pause 1 s → look → replan 2 s',
    ],
    [
      'that may have saved, at a platform that cannot be asked',
      { ...create, canFind: false },
      [refused('invalid', true)],
      'send create → record failed (invalid) → end failed',
    ],
    [
      'that may have saved, of an update: the end',
      update,
      [refused('invalid', true)],
      'send update → record failed (invalid) → end failed',
    ],
    [
      'by the five-minute rule for titles: waited out once',
      create,
      [refused('title_recently_used', true), absent],
      'send create → pause 1 s → look → record retry (title_recently_used) → replan 305 s',
    ],
    [
      '… and not twice',
      create,
      [refused('title_recently_used', true), absent],
      'send create → pause 1 s → look → record failed (title_recently_used) → end failed',
      { retry: { titleWaited: true } },
    ],
    [
      'because the post was changed there by hand',
      update,
      [drifted],
      'send update → record failed (drifted) → end failed',
    ],
    [
      'by ourselves: the platform cannot do it',
      { ...TARGET, kind: 'refuse', code: 'cannot_withdraw', reason: 'no', unsettled: false },
      [],
      'record failed (cannot_withdraw) → end failed',
    ],
    [
      'by ourselves, with a create in flight: nobody knows',
      { ...TARGET, kind: 'refuse', code: 'platform_unsupported', reason: 'no', unsettled: true },
      [],
      'record unknown (platform_unsupported) → end unknown',
    ],
  ],
  'what is due changed while the attempt was prepared': [
    ['nothing was sent: planned again (F26)', create, [changed], 'send create → replan at once'],
  ],
};

for (const [subject, rows] of Object.entries(TABLES)) {
  describe(subject, () => {
    for (const [what, step, answers, story, options] of rows) {
      test(what, () => assert.equal(play(step, answers, options).story, story));
    }
  });
}

describe('the retry state', () => {
  test('is cleared by a delivery', () => {
    const { retry } = play(create, [made], TWICE);
    assert.deepEqual([retry.failures, retry.since], [0, null]);
  });

  test('counts what failed, from the first failure on', () => {
    assert.deepEqual(pick(play(create, [away]).retry), { failures: 1, since: NOW });
    assert.deepEqual(pick(play(create, [away], TWICE).retry), { failures: 3, since: NOW - 10_000 });
    assert.deepEqual(pick(play(create, [cut]).retry), { failures: 1, since: NOW });
    assert.deepEqual(pick(play(create, [lost]).retry), { failures: 1, since: NOW });
  });

  test('remembers a rate slot until the step is sent', () => {
    const waiting = play(create, [], { slotInMs: 4_000 }).retry;
    assert.equal(waiting.hasSlot, true);
    assert.equal(play(create, [away], { retry: waiting }).retry.hasSlot, false);
  });

  test('of another publish starts afresh, and keeps the rate slot', () => {
    const { retry } = play({ ...create, dispatch: 2 }, [away], {
      retry: { ...TWICE.retry, dispatch: 1, hasSlot: true },
    });
    assert.deepEqual(pick(retry), { failures: 1, since: NOW });
    const { retry: looked } = play({ ...early, dispatch: 2 }, [absent], { retry: { dispatch: 1, hasSlot: true } });
    assert.equal(looked.hasSlot, true);
  });

  test('forgets the probe of another credential', () => {
    const retry = { probed: true, credentialVersion: 1 };
    const { story } = play({ ...create, credentialVersion: 2 }, [refusedKey, 'refused'], { retry });
    assert.match(story, /probe → record unauthorised → end held$/);
  });
});

test('what is recorded is of the attempt that was sent, not of the one that was planned', () => {
  const { effects } = play(create, [made]);
  assert.deepEqual(effects[1], { kind: 'record', record: { kind: 'delivered', remote: POST } });
});

test('whatever comes back, an attempt sends at most once and comes to a conclusion', () => {
  const sends = [
    made,
    takenBack,
    changed,
    lost,
    cut,
    away,
    refusedKey,
    limited(null),
    drifted,
    refused('x'),
    refused('x', true),
  ];
  const looks = [found, absent, changed, cut, away, refusedKey, limited(5), drifted, refused('x')];
  fc.assert(
    fc.property(
      fc.constantFrom(create, update, withdraw, early, settled, unasked, repeatable),
      fc.record({
        send: fc.constantFrom<Answer>(...sends),
        look: fc.constantFrom<Answer>(...looks),
        probe: fc.constantFrom<Answer>('refused', 'good', 'probe lost'),
      }),
      fc.record({ retry: fc.record({ probed: fc.boolean(), titleWaited: fc.boolean() }), isCurrent: fc.boolean() }),
      (step, answers, options) => {
        const { effects } = playWith(step, (call) => answers[call === 'repeat' ? 'send' : call], options);
        assert.ok(effects.filter(({ kind }) => kind === 'send' || kind === 'repeat').length <= 1);
        assert.match(effects.at(-1)?.kind ?? '', /^(?:replan|end)$/);
      },
    ),
  );
});

function pick({ failures, since }: { failures: number; since: number | null }) {
  return { failures, since };
}
