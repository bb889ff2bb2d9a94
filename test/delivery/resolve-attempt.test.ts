/** What every ending of an attempt means, as a table with a row per case: the answers, and the effects in their order. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { beginAttempt, resolveAttempt } from '../../delivery/resolve-attempt.ts';
import { NO_FAILURES } from '../../delivery/retry-state.ts';
import type { AttemptStep, Effect, Event } from '../../delivery/types.ts';
import type { Failure } from '../../destinations/types.ts';
import { type Answer, NOW, playAttempt, playAttemptWith, type StoryOptions } from './support/story.ts';

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
const late: AttemptStep = { ...early, settleInMs: 0 };
const noLookUp = { ...early, canFind: false };
const repeatable: AttemptStep = { ...noLookUp, repeatInMs: 0 };

const SENT = { attempt: 4, dispatch: 1 };
const POST = { remoteId: 'r', url: 'https://there.example/r', changedAt: null };
const made = { kind: 'done', remote: POST, ...SENT } as const;
const withdrawn = { kind: 'done', remote: null, ...SENT } as const;
const found = { kind: 'done', value: POST } as const;
const absent = { kind: 'done', value: null } as const;
const changed = { kind: 'changed' } as const;
const lost = { kind: 'lost', reason: 'lost' } as const;
const cut = { kind: 'unknown', reason: 'it was cut', ...SENT } as const;
const unavailable = { kind: 'unavailable', reason: 'unavailable', ...SENT } as const;
const unauthorised = { kind: 'unauthorised', reason: 'bad key', ...SENT } as const;
const rateLimited = (retryAfterMs: number | null) =>
  ({ kind: 'rateLimited', retryAfterMs, reason: '429', ...SENT }) as const;
const refused = (code: string, maybeSaved = false): Failure => ({
  kind: 'rejected',
  code,
  reason: code,
  maybeSaved,
});
const drifted = { kind: 'drifted', changedAt: 't', reason: 'changed by hand', ...SENT } as const;

const A_DAY = 86_400_000;
const AFTER_A_DAY = { retry: { since: NOW - A_DAY - 1, failures: 90 } };
const AFTER_TWO_FAILURES = { retry: { since: NOW - 10_000, failures: 2 } };

type Row = [what: string, step: AttemptStep, answers: Answer[], story: string, options?: StoryOptions];

const TABLES: Record<string, Row[]> = {
  'a success is recorded': [
    ['a create', create, [made], 'send create → record delivered → end delivered'],
    ['an update', update, [made], 'send update → record delivered → end delivered'],
    [
      'a create, with a newer revision due: planned again',
      create,
      [made],
      'send create → record delivered → replan at once',
      { isCurrent: false },
    ],
    ['a withdrawal', withdraw, [withdrawn], 'send withdraw → record withdrawn → end withdrawn'],
    [
      'a withdrawal that deletes',
      { ...withdraw, withdraw: 'deleted' },
      [withdrawn],
      'send withdraw → record withdrawn (deleted) → end withdrawn',
    ],
    [
      'a withdrawal that is refused: failed, since the post is still there',
      withdraw,
      [refused('forbidden')],
      'send withdraw → record failed (forbidden) → end failed',
    ],
    [
      'a withdrawal of a post that is gone already',
      withdraw,
      [refused('remote_gone')],
      'send withdraw → record withdrawn → end withdrawn',
    ],
  ],
  'a create of unknown outcome is looked up before it is repeated': [
    [
      'the connection was cut, or the request timed out: planned again at once, which looks it up (F2, F9)',
      create,
      [cut],
      'send create → replan at once',
    ],
    [
      'the worker was killed: planned again after a pause, from what the row says (F1, F2)',
      create,
      [lost],
      'send create → replan 2 s',
    ],
    [
      'the look-up finds the post: adopted, and updated by the next plan (F2, F9)',
      early,
      [found],
      'look → record adopted → replan at once',
    ],
    [
      'not found, and it may still arrive: looked up again when the settle time is over (F9)',
      early,
      [absent],
      'look → replan 18 s',
    ],
    [
      'not found, and less than the read lag is left: looked up again after the read lag',
      { ...early, settleInMs: 200 },
      [absent],
      'look → replan 1 s',
    ],
    [
      'not found when the settle time is over, by an actor that knows of no failure: created again at once',
      late,
      [absent],
      'look → record absent → replan at once',
    ],
    [
      'not found when the settle time is over: created again at once (F1)',
      late,
      [absent],
      'look → record absent → replan at once',
      { retry: { since: NOW, failures: 1 } },
    ],
    [
      'not found for the second time: created again after a pause',
      late,
      [absent],
      'look → record absent → replan 2 s',
      AFTER_TWO_FAILURES,
    ],
    [
      'not found after a day of such attempts: given up',
      late,
      [absent],
      'look → record failed (gave_up) → end failed',
      AFTER_A_DAY,
    ],
    ['something else is due: planned again', early, [changed], 'look → replan at once'],
    [
      'the look-up is cut: retried, and the create stays in flight',
      early,
      [cut],
      'look → record retry (unknown_outcome, in flight) → replan 2 s',
    ],
    [
      'the look-up finds the destination unavailable: retried, and the create stays in flight (F12)',
      early,
      [unavailable],
      'look → record retry (unknown_outcome, in flight) → replan 2 s',
    ],
    [
      'the destination is unavailable for a day: given up as unknown',
      early,
      [unavailable],
      'look → record unknown (gave_up) → end unknown',
      AFTER_A_DAY,
    ],
    [
      'the look-up meets a 429: the account waits, and the create stays in flight (F11)',
      early,
      [rateLimited(30_000)],
      'look → block 30 s → record retry (rate_limited, in flight) → replan 30 s',
    ],
    [
      'the look-up is refused permanently: unknown',
      early,
      [refused('forbidden')],
      'look → record unknown (forbidden) → end unknown',
    ],
    [
      'the look-up meets a refused credential: probed and held, and the create stays in flight (F13)',
      early,
      [unauthorised, 'refused'],
      'look → record retry (unauthorised, in flight) → pause 10 s → probe → record unauthorised (in flight) → end held',
    ],
  ],
  'a create of unknown outcome at a platform without look-up': [
    [
      'is unknown, and the author is asked to look (F3)',
      noLookUp,
      [],
      'record unknown (outcome_unknown) → end unknown',
    ],
    ['waits for the time of the repeat (F3)', { ...repeatable, repeatInMs: 60_000 }, [], 'replan 60 s'],
    [
      'is delivered when the repeat is answered with the post (F3)',
      repeatable,
      [made],
      'repeat → record delivered → end delivered',
    ],
    [
      'is unknown when the repeat gets no response either (F3)',
      repeatable,
      [cut],
      'repeat → record unknown (outcome_unknown) → end unknown',
    ],
    [
      'is unknown when the destination is unavailable for the repeat',
      repeatable,
      [unavailable],
      'repeat → record unknown (outcome_unknown) → end unknown',
    ],
    [
      'fails when the repeat is refused as a duplicate of another article’s post',
      repeatable,
      [refused('duplicate_of_other')],
      'repeat → record failed (duplicate_of_other) → end failed',
    ],
    [
      'is unknown when the repeat is refused for another reason',
      repeatable,
      [refused('invalid')],
      'repeat → record unknown (outcome_unknown) → end unknown',
    ],
    [
      'is planned again when the worker is lost in the repeat, since the row says that it was sent',
      repeatable,
      [lost],
      'repeat → replan at once',
    ],
    ['is planned again when something else is due', repeatable, [changed], 'repeat → replan at once'],
  ],
  'an update or a withdrawal of unknown outcome is repeated, since it names its post': [
    ['an update', update, [cut], 'send update → record retry (unknown_outcome) → replan 2 s'],
    ['a withdrawal', withdraw, [cut], 'send withdraw → record retry (unknown_outcome) → replan 2 s'],
    [
      'an update, for a day and no longer: not given up yet',
      update,
      [cut],
      'send update → record retry (unknown_outcome) → replan 900 s',
      { retry: { since: NOW - A_DAY, failures: 90 } },
    ],
    [
      'an update, for a day: given up',
      update,
      [cut],
      'send update → record failed (gave_up) → end failed',
      AFTER_A_DAY,
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
      'is retried after 15 min at the most',
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
      'with Retry-After makes the whole account wait so long (F11)',
      create,
      [rateLimited(120_000)],
      'send create → block 120 s → record retry (rate_limited) → replan 120 s',
    ],
    [
      'without Retry-After makes it wait a minute (F11)',
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
      'that another delivery met is waited for before anything is sent (F11)',
      create,
      [{ kind: 'blocked', forMs: 5_000 }],
      'send create → replan 5 s (slot)',
    ],
    [
      'that leaves a later rate slot is waited for, and the step is planned again then',
      create,
      [],
      'replan 4 s (slot)',
      { slotInMs: 4_000 },
    ],
  ],
  'a refused credential': [
    [
      'is probed, refused again and held, with one event (F13)',
      create,
      [unauthorised, 'refused'],
      'send create → record retry (unauthorised) → pause 10 s → probe → record unauthorised → end held',
    ],
    [
      'that the probe accepts is tried again',
      create,
      [unauthorised, 'good'],
      'send create → record retry (unauthorised) → pause 10 s → probe → replan 2 s',
    ],
    [
      'that could not be probed is tried again',
      create,
      [unauthorised, 'probe lost'],
      'send create → record retry (unauthorised) → pause 10 s → probe → replan 2 s',
    ],
    [
      'that was probed before is held without another probe (F13)',
      create,
      [unauthorised],
      'send create → record unauthorised → end held',
      { retry: { probed: true } },
    ],
    [
      'that was replaced meanwhile is tried with the new one (F13)',
      create,
      [unauthorised],
      'send create → record unauthorised → replan at once',
      { retry: { probed: true }, isCurrent: false },
    ],
  ],
  'a refusal': [
    ['fails with its reason', create, [refused('invalid')], 'send create → record failed (invalid) → end failed'],
    ['of an update fails', update, [refused('remote_gone')], 'send update → record failed (remote_gone) → end failed'],
    [
      'that may have saved the post is looked up and adopted (F10)',
      create,
      [refused('invalid', true), found],
      'send create → pause 1 s → look → record adopted → replan at once',
    ],
    [
      'that saved nothing fails (F10)',
      create,
      [refused('invalid', true), absent],
      'send create → pause 1 s → look → record failed (invalid) → end failed',
    ],
    [
      'that may have saved the post is planned again when something else is due',
      create,
      [refused('invalid', true), changed],
      'send create → pause 1 s → look → replan at once',
    ],
    [
      'that may have saved the post is planned again when the look-up fails',
      create,
      [refused('invalid', true), unavailable],
      'send create → pause 1 s → look → replan 2 s',
    ],
    [
      'that may have saved the post fails at a platform without look-up',
      { ...create, canFind: false },
      [refused('invalid', true)],
      'send create → record failed (invalid) → end failed',
    ],
    [
      'of an update that may have been saved fails',
      update,
      [refused('invalid', true)],
      'send update → record failed (invalid) → end failed',
    ],
    [
      'by the five-minute rule for titles is waited out once',
      create,
      [refused('title_recently_used', true), absent],
      'send create → pause 1 s → look → record retry (title_recently_used) → replan 305 s',
    ],
    [
      'by the five-minute rule for titles fails the second time',
      create,
      [refused('title_recently_used', true), absent],
      'send create → pause 1 s → look → record failed (title_recently_used) → end failed',
      { retry: { titleWaited: true } },
    ],
    [
      'because the post was changed by hand fails',
      update,
      [drifted],
      'send update → record failed (drifted) → end failed',
    ],
    [
      'of our own, since the platform cannot do it, fails',
      { ...TARGET, kind: 'refuse', code: 'cannot_withdraw', reason: 'no', unsettled: false },
      [],
      'record failed (cannot_withdraw) → end failed',
    ],
    [
      'of our own, with a create in flight, is unknown',
      { ...TARGET, kind: 'refuse', code: 'platform_unsupported', reason: 'no', unsettled: true },
      [],
      'record unknown (platform_unsupported) → end unknown',
    ],
  ],
  'a change of what is due while an attempt is prepared': [
    ['sends nothing and plans again (F26)', create, [changed], 'send create → replan at once'],
  ],
};

for (const [subject, rows] of Object.entries(TABLES)) {
  describe(subject, () => {
    for (const [what, step, answers, story, options] of rows) {
      test(what, () => {
        const played = playAttempt(step, answers, options);
        assert.equal(played.story, story);
        for (const effect of played.effects) assertSaysWhy(effect);
      });
    }
  });
}

describe('the retry state', () => {
  test('of a new delivery is blank but for its publish and its credential version', () => {
    assert.deepEqual(beginAttempt({ ...create, dispatch: 5, credentialVersion: 6 }, NO_FAILURES).retry, {
      dispatch: 5,
      credentialVersion: 6,
      since: null,
      failures: 0,
      probed: false,
      titleWaited: false,
      hasSlot: false,
    });
  });

  test('remembers the probe of a credential, and that the rule for titles was waited out', () => {
    assert.equal(playAttempt(create, [unauthorised, 'good']).retry.probed, true);
    const titleUsed = refused('title_recently_used', true);
    assert.equal(playAttempt(create, [titleUsed, absent]).retry.titleWaited, true);
  });

  test('is reset by a delivery', () => {
    const { retry } = playAttempt(create, [made], AFTER_TWO_FAILURES);
    assert.deepEqual([retry.failures, retry.since], [0, null]);
  });

  test('counts failures since the first one', () => {
    assert.deepEqual(pickCount(playAttempt(create, [unavailable]).retry), { failures: 1, since: NOW });
    assert.deepEqual(pickCount(playAttempt(create, [unavailable], AFTER_TWO_FAILURES).retry), {
      failures: 3,
      since: NOW - 10_000,
    });
    assert.deepEqual(pickCount(playAttempt(create, [cut]).retry), { failures: 1, since: NOW });
    assert.deepEqual(pickCount(playAttempt(create, [lost]).retry), { failures: 1, since: NOW });
  });

  test('remembers a rate slot until the step is sent', () => {
    const waiting = playAttempt(create, [], { slotInMs: 4_000 }).retry;
    assert.equal(waiting.hasSlot, true);
    assert.equal(playAttempt(create, [unavailable], { retry: waiting }).retry.hasSlot, false);
  });

  test('starts afresh for another publish, and keeps the rate slot', () => {
    const { retry } = playAttempt({ ...create, dispatch: 2 }, [unavailable], {
      retry: { ...AFTER_TWO_FAILURES.retry, dispatch: 1, hasSlot: true },
    });
    assert.deepEqual(pickCount(retry), { failures: 1, since: NOW });
    const { retry: looked } = playAttempt({ ...early, dispatch: 2 }, [absent], {
      retry: { dispatch: 1, hasSlot: true },
    });
    assert.equal(looked.hasSlot, true);
  });

  test('does not count the probe of another credential version', () => {
    const retry = { probed: true, credentialVersion: 1 };
    const { story } = playAttempt({ ...create, credentialVersion: 2 }, [unauthorised, 'refused'], { retry });
    assert.match(story, /probe → record unauthorised → end held$/);
  });
});

test('a delivery and an adoption are recorded with the post that the platform answered', () => {
  const { effects: sent } = playAttempt(create, [made]);
  assert.deepEqual(sent[1], { kind: 'record', record: { kind: 'delivered', remote: POST } });
  const { effects: looked } = playAttempt(early, [found]);
  assert.deepEqual(looked[1], { kind: 'record', record: { kind: 'adopted', remote: POST } });
});

test('what is recorded belongs to the attempt and the publish that were sent, not to those that were planned', () => {
  const sent = playAttempt(create, [{ ...made, attempt: 9, dispatch: 8 }]).step;
  assert.deepEqual([sent.attempt, sent.dispatch], [9, 8]);
  const refusedBefore = playAttempt(create, [refused('invalid')]).step;
  assert.deepEqual([refusedBefore.attempt, refusedBefore.dispatch], [TARGET.attempt, TARGET.dispatch]);
});

test('an author reads the reason of the last answer, and when a retry follows, for how long it waits', () => {
  const { effects } = playAttempt(update, [{ ...unavailable, reason: 'down for repairs' }], AFTER_TWO_FAILURES);
  assert.deepEqual(effects.slice(1), [
    {
      kind: 'record',
      record: {
        kind: 'retry',
        code: 'unavailable',
        reason: 'down for repairs',
        stillInFlight: false,
        afterMs: 18_000,
      },
    },
    { kind: 'replan', afterMs: 18_000, why: 'down for repairs', forSlot: false },
  ]);
});

test('an event that the phase does not expect is an error', () => {
  const attempt = beginAttempt(create, NO_FAILURES);
  const events: Event[] = [
    { kind: 'blocked' },
    { kind: 'paused' },
    { kind: 'probed', isRefused: true },
    { kind: 'recorded', isCurrent: true },
  ];
  for (const event of events) {
    const message = `An attempt in the phase "plan" cannot go on with "${event.kind}".`;
    assert.throws(() => resolveAttempt(attempt, event, NOW), { message });
  }
});

test('whatever the answers, an attempt sends at most once and comes to a conclusion', () => {
  const sends = [
    made,
    withdrawn,
    changed,
    lost,
    cut,
    unavailable,
    unauthorised,
    rateLimited(null),
    drifted,
    refused('x'),
    refused('x', true),
  ];
  const looks = [found, absent, changed, cut, unavailable, unauthorised, rateLimited(5), drifted, refused('x')];
  fc.assert(
    fc.property(
      fc.constantFrom(create, update, withdraw, early, late, noLookUp, repeatable),
      fc.record({
        send: fc.constantFrom<Answer>(...sends),
        look: fc.constantFrom<Answer>(...looks),
        probe: fc.constantFrom<Answer>('refused', 'good', 'probe lost'),
      }),
      fc.record({ retry: fc.record({ probed: fc.boolean(), titleWaited: fc.boolean() }), isCurrent: fc.boolean() }),
      (step, answers, options) => {
        const { effects } = playAttemptWith(step, (call) => answers[call === 'repeat' ? 'send' : call], options);
        assert.ok(effects.filter(({ kind }) => kind === 'send' || kind === 'repeat').length <= 1);
        effects.forEach((effect, index) => {
          assertSaysWhy(effect);
          if (effect.kind !== 'record' || effect.record.kind !== 'retry') return;
          const wait = effects[index + 1];
          const waitMs = wait?.kind === 'replan' ? wait.afterMs : wait?.kind === 'pause' ? wait.forMs : null;
          assert.equal(effect.record.afterMs, waitMs, 'the row says how long is waited');
        });
        assert.match(effects.at(-1)?.kind ?? '', /^(?:replan|end)$/);
      },
    ),
  );
});

/** What the author reads, or an operator in the Temporal UI. */
function assertSaysWhy(effect: Effect): void {
  if (effect.kind === 'replan' || effect.kind === 'end') assert.match(effect.why, /\w/);
  if (effect.kind === 'record' && 'reason' in effect.record) assert.match(effect.record.reason, /\w/);
}

function pickCount({ failures, since }: { failures: number; since: number | null }) {
  return { failures, since };
}
