/** What is due for one article at one destination, as a table with a row per case. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nextStep } from '../../delivery/next-step.ts';
import type { PlatformRules, Step } from '../../delivery/types.ts';
import { buildSituation, createOnly, type Given, withLookUp, withRepeat } from './support/situation.ts';

/** They make a settle time of 109 s: 15 s and 4 s for the request, and 90 s for what a proxy may hand on late. */
const TIMEOUTS = { httpMs: 15_000, startSendingMs: 4_000, lateArrivalMs: 90_000 };

const HERE = { remoteId: 'r', remoteUrl: 'https://there.example/r', deliveredHash: 'h1', state: 'delivered' } as const;
const OPEN = {
  number: 1,
  action: 'create',
  dispatch: 1,
  forMs: 500,
  answeredForMs: null,
  answer: null,
  canRepeat: false,
} as const;
const CREATING = { state: 'delivering', inFlight: OPEN, wasAttempted: true } as const;
const CUT = { ...CREATING, inFlight: { ...OPEN, answer: { kind: 'unknown', reason: 'cut' } } } as const;
const repeatable = (forMs: number) => ({ ...CREATING, inFlight: { ...OPEN, canRepeat: true, forMs } });
const OLD = { ageMs: 3_600_000 } as const;
const REFUSED = { status: 'unauthorised' } as const;
const REPUBLISHED = { dispatch: 2 } as const;
const WITHDRAWN = { withdrawnAt: new Date(0) } as const;

type Row = [what: string, given: Given, step: string, platform?: PlatformRules | null];

const TABLES: Record<string, Row[]> = {
  'a published article': [
    ['wanted, connected, not there yet: create', {}, 'create'],
    ['there with other content: update', { delivery: { ...HERE, deliveredHash: 'h0' } }, 'update'],
    ['there with this content: nothing, and the row says so', { delivery: HERE }, 'rest delivered, write upToDate'],
    ['withdrawn there earlier: update', { delivery: { ...HERE, ...WITHDRAWN } }, 'update'],
    ['wanted, at a platform that cannot change posts: create', {}, 'create', createOnly],
    [
      'first stored long ago: the ledger may come from a backup, so it is looked up before (F31)',
      { article: OLD },
      'create after a look',
    ],
    [
      'attempted before: it is looked up once more right before (F32)',
      { delivery: { wasAttempted: true } },
      'create after a look',
    ],
    [
      'of a ledger that was restored: it is looked up before (F31)',
      { delivery: { wasRestored: true } },
      'create after a look',
    ],
    ['first stored long ago, at a platform that cannot be asked: create', { article: OLD }, 'create', createOnly],
    [
      'an update that nobody answered may still arrive: what is newer waits for it (F32)',
      { delivery: { ...HERE, deliveredHash: null, unanswered: [{ action: 'update', hash: 'h0', forMs: 9_000 }] } },
      'settle 100000',
    ],
    [
      'an update of the same content may still arrive: it is sent again at once',
      { delivery: { ...HERE, deliveredHash: null, unanswered: [{ action: 'update', hash: 'h1', forMs: 9_000 }] } },
      'update',
    ],
    [
      'a withdrawal that nobody answered may still arrive: the update waits for it (F32)',
      { delivery: { ...HERE, deliveredHash: null, unanswered: [{ action: 'withdraw', hash: 'h1', forMs: 9_000 }] } },
      'settle 100000',
    ],
    [
      'delivered for this publish, and there with other content by now: update',
      { delivery: { ...HERE, deliveredHash: 'h0', handledDispatch: 1 } },
      'update',
    ],
    ['not asked for: nothing', { article: { wanted: false } }, 'rest nothing'],
    ['not eligible: nothing', { article: { eligible: false } }, 'rest nothing'],
    [
      'imported, and a draft: the original stays',
      { article: { imported: true, eligible: false, status: 'DRAFT' }, delivery: { remoteId: 'r1' } },
      'rest nothing',
    ],
    [
      'imported, and withdrawn by command: withdrawn',
      { article: { imported: true, eligible: false }, delivery: { remoteId: 'r1', withdrawRequested: true } },
      'withdraw',
    ],
    ['not connected: held', { connection: null }, 'rest held, write held not_connected'],
    ['the credential was refused: held', { connection: REFUSED }, 'rest held, write held unauthorised'],
    [
      'an update may have happened: update again',
      { delivery: { ...HERE, deliveredHash: null, inFlight: { ...OPEN, action: 'update' } } },
      'update',
    ],
    [
      'a withdrawal may have happened, and it is public again: update',
      { delivery: { ...HERE, deliveredHash: null, inFlight: { ...OPEN, action: 'withdraw' } } },
      'update',
    ],
  ],
  'a command of the author': [
    ['skip: nothing, and the row says so', { delivery: { skippedDispatch: 1 } }, 'rest nothing, write skipped'],
    ['skip, and published again: create', { article: REPUBLISHED, delivery: { skippedDispatch: 1 } }, 'create'],
    ['withdraw, and still there: withdraw', { delivery: { ...HERE, withdrawRequested: true } }, 'withdraw'],
    [
      'withdraw, done, and published again: nothing',
      { article: { ...REPUBLISHED, hash: 'h2' }, delivery: { ...HERE, ...WITHDRAWN, withdrawRequested: true } },
      'rest nothing',
    ],
    ['withdraw, and never was there: nothing', { delivery: { withdrawRequested: true } }, 'rest nothing'],
    [
      'skip of a withdrawal: nothing, and the row says so',
      { article: { status: 'DRAFT' }, delivery: { ...HERE, skippedDispatch: 1 } },
      'rest nothing, write skipped',
    ],
  ],
  'an article that is not public': [
    ['a draft that is there: withdraw', { article: { status: 'DRAFT' }, delivery: HERE }, 'withdraw'],
    [
      'a draft that is there, at a platform that cannot change posts: withdraw',
      { article: { status: 'DRAFT' }, delivery: HERE },
      'withdraw',
      withRepeat,
    ],
    ['a draft that is not there: nothing', { article: { status: 'DRAFT' } }, 'rest nothing'],
    [
      'a draft whose copy was withdrawn already: nothing',
      { article: { status: 'DRAFT' }, delivery: { ...HERE, ...WITHDRAWN } },
      'rest nothing',
    ],
    [
      'a draft that is there, not connected: held',
      { article: { status: 'DRAFT' }, delivery: HERE, connection: null },
      'rest held, write held not_connected',
    ],
    [
      'a draft that is there, credential refused: held',
      { article: { status: 'DRAFT' }, delivery: HERE, connection: REFUSED },
      'rest held, write held unauthorised',
    ],
    [
      'a draft whose withdrawal failed permanently: nothing',
      { article: { status: 'DRAFT' }, delivery: { ...HERE, state: 'failed', handledDispatch: 1 } },
      'rest nothing',
    ],
    [
      'scheduled, and still there from before: withdraw',
      { article: { status: 'SCHEDULED' }, delivery: HERE },
      'withdraw',
    ],
    [
      'scheduled, and withdrawn: nothing until its hour',
      { article: { status: 'SCHEDULED' }, delivery: { ...HERE, ...WITHDRAWN } },
      'rest nothing',
    ],
    [
      'scheduled, and there at a platform that cannot withdraw: refused',
      { article: { status: 'SCHEDULED' }, delivery: HERE },
      'refuse cannot_withdraw',
      createOnly,
    ],
    [
      'scheduled again, and its author was told that the copy stays: nothing',
      {
        article: { status: 'SCHEDULED', dispatch: 3 },
        delivery: { ...HERE, state: 'failed', handledDispatch: 2, cannotWithdraw: true },
      },
      'rest nothing',
      createOnly,
    ],
    [
      'the withdrawal was given up, and it is scheduled again: withdraw',
      { article: { status: 'SCHEDULED', dispatch: 3 }, delivery: { ...HERE, state: 'failed', handledDispatch: 2 } },
      'withdraw',
    ],
    [
      'scheduled while a create is in flight: looked up, since it may have to be withdrawn',
      { article: { status: 'SCHEDULED' }, delivery: CREATING },
      'reconcile settle 108500',
    ],
    ['scheduled and not there: nothing yet', { article: { status: 'SCHEDULED' } }, 'rest nothing'],
  ],
  'a publish that has its outcome': [
    ['failed for this publish: nothing more', { delivery: { state: 'failed', handledDispatch: 1 } }, 'rest nothing'],
    [
      'failed, and published again: create',
      { article: REPUBLISHED, delivery: { state: 'failed', handledDispatch: 1 } },
      'create',
    ],
    [
      'an update failed, and published again: update',
      { article: { ...REPUBLISHED, hash: 'h2' }, delivery: { ...HERE, state: 'failed', handledDispatch: 1 } },
      'update',
    ],
    ['held, and connected since: create', { delivery: { state: 'held' } }, 'create'],
  ],
  'a create of unknown outcome': [
    [
      'is looked up first, and may still arrive for 108.5 s (F2, F9)',
      { delivery: CREATING },
      'reconcile settle 108500',
    ],
    [
      'cannot arrive any more when the settle time is over',
      { delivery: { ...CREATING, inFlight: { ...OPEN, forMs: 110_000 } } },
      'reconcile settle -1000',
    ],
    [
      'is looked up even when the article has become a draft',
      { article: { status: 'DRAFT' }, delivery: CREATING },
      'reconcile settle 108500',
    ],
    [
      'is looked up even when the article is not eligible any more',
      { article: { eligible: false }, delivery: CREATING },
      'reconcile settle 108500',
    ],
    [
      'is looked up even when the author has ordered to withdraw it',
      { delivery: { ...CREATING, withdrawRequested: true } },
      'reconcile settle 108500',
    ],
    [
      'recorded as unknown for this publish: nothing, since it is never created again without a look-up (F3)',
      { delivery: { ...CREATING, state: 'unknown', handledDispatch: 1 } },
      'rest nothing',
    ],
    [
      'looked up although this publish was recorded as failed: only what is recorded as unknown waits for the author',
      { delivery: { ...CREATING, state: 'failed', handledDispatch: 1 } },
      'reconcile settle 108500',
    ],
    [
      'recorded as unknown, and published again: looked up',
      { article: REPUBLISHED, delivery: { ...CREATING, state: 'unknown', handledDispatch: 1 } },
      'reconcile settle 108500',
    ],
    [
      'disconnected meanwhile: held, and nothing is sent (F26)',
      { connection: null, delivery: CREATING },
      'rest held, write held not_connected',
    ],
    [
      'at a platform that recognises a repeat: repeated after a minute (F3)',
      { delivery: repeatable(500) },
      'reconcile settle 108500 repeat 59500',
      withRepeat,
    ],
    [
      'at a platform that recognises a repeat, when the minute is over: repeated at once',
      { delivery: repeatable(70_000) },
      'reconcile settle 39000 repeat 0',
      withRepeat,
    ],
    [
      'at a platform that recognises a repeat, after ten minutes: not repeated',
      { delivery: repeatable(600_000) },
      'reconcile settle -491000',
      withRepeat,
    ],
    [
      'at a platform that recognises a repeat, repeated once: not repeated again',
      { delivery: CUT },
      'reconcile settle 108500',
      withRepeat,
    ],
    [
      'at a platform with neither look-up nor repeat: not repeated (F3)',
      { delivery: CUT },
      'reconcile settle 108500',
      createOnly,
    ],
    [
      'at a platform with neither look-up nor repeat: the activity that was lost to its workflow may still write the answer (F30)',
      { delivery: CREATING },
      'settle 28500',
      createOnly,
    ],
    [
      'answered, and its workflow never heard of it: resolved from the row (F29, F30)',
      { delivery: { ...CREATING, inFlight: { ...OPEN, answer: { kind: 'done', remote: null } } } },
      'resolve create done',
      createOnly,
    ],
    [
      'refused, and its workflow never heard of it: resolved from the row (F29, F30)',
      { delivery: { ...CREATING, inFlight: { ...OPEN, answer: { kind: 'unavailable', reason: '503' } } } },
      'resolve create unavailable',
    ],
    [
      'answered after its author was asked to look: resolved from the row, and nobody has to (F32)',
      {
        delivery: {
          ...CREATING,
          ...{ state: 'unknown', handledDispatch: 1 },
          inFlight: { ...OPEN, answer: { kind: 'done', remote: null } },
        },
      },
      'resolve create done',
    ],
    [
      'answered with an error of the platform’s own: its listing may lag, and is believed after that',
      {
        delivery: {
          ...CREATING,
          inFlight: {
            ...OPEN,
            answeredForMs: 200,
            answer: { kind: 'unknown', reason: '500', mayArriveLate: false },
          },
        },
      },
      'reconcile settle 800',
    ],
    [
      'answered after the destination was disconnected: the answer is recorded all the same',
      { connection: null, delivery: { ...CREATING, inFlight: { ...OPEN, answer: { kind: 'done', remote: null } } } },
      'resolve create done',
      null,
    ],
  ],
  'an action that the platform cannot do': [
    [
      'an update: nothing, and the row says that the post stays as it is',
      { delivery: { ...HERE, deliveredHash: 'h0' } },
      'rest nothing, write unchangeable',
      createOnly,
    ],
    ['a withdrawal: refused', { article: { status: 'DRAFT' }, delivery: HERE }, 'refuse cannot_withdraw', createOnly],
    ['a create, without an adapter: refused', {}, 'refuse platform_unsupported', null],
    [
      'a create of unknown outcome, without an adapter: refused, and the outcome stays unknown',
      { delivery: CREATING },
      'refuse platform_unsupported unsettled',
      null,
    ],
    [
      'an update, without an adapter: refused',
      { delivery: { ...HERE, deliveredHash: 'h0' } },
      'refuse platform_unsupported',
      null,
    ],
    [
      'content that is there already, without an adapter: nothing is needed',
      { delivery: HERE },
      'rest delivered, write upToDate',
      null,
    ],
  ],
};

for (const [subject, rows] of Object.entries(TABLES)) {
  describe(subject, () => {
    for (const [what, given, expected, platform = withLookUp] of rows) {
      test(what, () => {
        const step = nextStep(buildSituation(given), platform, TIMEOUTS);
        assert.equal(describeStep(step), expected);
        if (step.kind === 'rest') assert.match(step.why, /\w/);
        if (step.kind === 'refuse') assert.match(step.reason, /\w/);
      });
    }
  });
}

test('a step names its row, attempt, publish and credential version', () => {
  const step = nextStep(buildSituation({ article: { dispatch: 7 }, delivery: { attempt: 3 } }), withLookUp, TIMEOUTS);
  assert.deepEqual(step, {
    kind: 'create',
    lookFirst: false,
    deliveryId: 'd',
    attempt: 3,
    dispatch: 7,
    connectionId: 'c',
    credentialVersion: 2,
    readLagMs: 1_000,
    canFind: true,
    withdraw: 'unpublished',
  });
});

test('without an adapter, a step has none of the platform’s abilities', () => {
  const step = nextStep(buildSituation({ connection: { platform: 'gone' } }), null, TIMEOUTS);
  assert.deepEqual(step, {
    kind: 'refuse',
    code: 'platform_unsupported',
    reason: 'There is no adapter for the platform "gone" here.',
    unsettled: false,
    deliveryId: 'd',
    attempt: 0,
    dispatch: 1,
    connectionId: 'c',
    credentialVersion: 2,
    readLagMs: 0,
    canFind: false,
    withdraw: 'none',
  });
});

test('the refusal of a withdrawal names the address of the copy', () => {
  const step = nextStep(buildSituation({ article: { status: 'DRAFT' }, delivery: HERE }), createOnly, TIMEOUTS);
  assert.ok(step.kind === 'refuse');
  assert.equal(
    step.reason,
    'The copy at https://there.example/r stays live: Create only cannot take a post back. Remove it there.',
  );
});

test('what is found out is about the attempt in flight, which an account that was left and returned has behind it', () => {
  const situation = buildSituation({ delivery: { attempt: 3, inFlight: { ...OPEN, number: 1 } } });
  const step = nextStep(situation, withLookUp, TIMEOUTS);
  assert.ok(step.kind === 'reconcile' && step.attempt === 1, JSON.stringify(step));
});

/** In one line: `rest nothing, write skipped`, `reconcile settle 108500 repeat 0`, `refuse code unsettled`. */
function describeStep(step: Step): string {
  switch (step.kind) {
    case 'rest': {
      const code = step.write?.kind === 'held' ? ` ${step.write.code}` : '';
      return `rest ${step.outcome}${step.write ? `, write ${step.write.kind}${code}` : ''}`;
    }
    case 'reconcile':
      return `reconcile settle ${step.settleInMs}${step.repeatInMs === null ? '' : ` repeat ${step.repeatInMs}`}`;
    case 'settle':
      return `settle ${step.settleInMs}`;
    case 'create':
      return step.lookFirst ? 'create after a look' : 'create';
    case 'resolve':
      return `resolve ${step.action} ${step.answer.kind}`;
    case 'refuse':
      return `refuse ${step.code}${step.unsettled ? ' unsettled' : ''}`;
    default:
      return step.kind;
  }
}
