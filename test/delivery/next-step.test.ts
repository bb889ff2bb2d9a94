/** What is due for one article at one destination, as a table: a row a case. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nextStep } from '../../delivery/next-step.ts';
import type { PlatformRules, Step } from '../../delivery/types.ts';
import { canBeAsked, cannotBeAsked, type Given, recognisesRepeats, situation } from './support/situation.ts';

/** The settle time of `canBeAsked` is 20 s: 15 s and 4 s for the request, 1 s of read lag. */
const TIMEOUTS = { httpMs: 15_000, startSendingMs: 4_000 };

const HERE = { remoteId: 'r', remoteUrl: 'https://there.example/r', deliveredHash: 'h1', state: 'delivered' } as const;
const CREATING = { state: 'delivering', inFlightAction: 'create', inFlightForMs: 500 } as const;
const REFUSED = { status: 'unauthorised' } as const;
const REPUBLISHED = { dispatch: 2 } as const;
const WITHDRAWN = { withdrawnAt: new Date(0) } as const;

type Row = [what: string, given: Given, step: string, platform?: PlatformRules | null];

const TABLES: Record<string, Row[]> = {
  'a published article': [
    ['wanted, connected, nothing there yet: create', {}, 'create'],
    ['there with other content: update', { delivery: { ...HERE, deliveredHash: 'h0' } }, 'update'],
    ['there with this content: nothing, and the row says so', { delivery: HERE }, 'rest delivered, write upToDate'],
    ['there, but hidden by a withdrawal: update', { delivery: { ...HERE, ...WITHDRAWN } }, 'update'],
    ['not asked for: nothing', { article: { wanted: false } }, 'rest nothing'],
    ['not eligible: nothing', { article: { eligible: false } }, 'rest nothing'],
    ['not connected: held', { connection: null }, 'rest held, write held not_connected'],
    ['its credential is refused: held', { connection: REFUSED }, 'rest held, write held unauthorised'],
    [
      'an update may have happened: update again',
      { delivery: { ...HERE, deliveredHash: null, inFlightAction: 'update' } },
      'update',
    ],
    [
      'a withdrawal may have happened, and it is public again: update',
      { delivery: { ...HERE, deliveredHash: null, inFlightAction: 'withdraw' } },
      'update',
    ],
  ],
  'what its author ordered': [
    ['skipped: nothing, and the row says so', { delivery: { skippedDispatch: 1 } }, 'rest nothing, write skipped'],
    ['skipped, and published again: create', { article: REPUBLISHED, delivery: { skippedDispatch: 1 } }, 'create'],
    ['to be taken back, and still there: withdraw', { delivery: { ...HERE, withdrawRequested: true } }, 'withdraw'],
    [
      'taken back, whatever is published since: nothing',
      { article: { ...REPUBLISHED, hash: 'h2' }, delivery: { ...HERE, ...WITHDRAWN, withdrawRequested: true } },
      'rest nothing',
    ],
    ['to be taken back, and never was there: nothing', { delivery: { withdrawRequested: true } }, 'rest nothing'],
    [
      'a withdrawal that is skipped: nothing, and the row says so',
      { article: { status: 'DRAFT' }, delivery: { ...HERE, skippedDispatch: 1 } },
      'rest nothing, write skipped',
    ],
  ],
  'an article that is not public': [
    ['a draft that is there: withdraw', { article: { status: 'DRAFT' }, delivery: HERE }, 'withdraw'],
    ['a draft that is not there: nothing', { article: { status: 'DRAFT' } }, 'rest nothing'],
    [
      'a draft whose copy is hidden already: nothing',
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
      'a draft whose withdrawal failed for good: nothing',
      { article: { status: 'DRAFT' }, delivery: { ...HERE, state: 'failed', handledDispatch: 1 } },
      'rest nothing',
    ],
    [
      'scheduled and there: rescheduling never deletes',
      { article: { status: 'SCHEDULED' }, delivery: HERE },
      'rest nothing',
    ],
    ['scheduled and not there: not due yet', { article: { status: 'SCHEDULED' } }, 'rest nothing'],
  ],
  'a publish that was answered': [
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
    ['held, and connected by now: create', { delivery: { state: 'held' } }, 'create'],
  ],
  'a create of unknown outcome': [
    [
      'is looked up first; for 19.5 s more it may still arrive (F2, F9)',
      { delivery: CREATING },
      'reconcile settle 19500',
    ],
    [
      'is settled when the time is over',
      { delivery: { ...CREATING, inFlightForMs: 21_000 } },
      'reconcile settle -1000',
    ],
    [
      'is looked up even when it is a draft by now',
      { article: { status: 'DRAFT' }, delivery: CREATING },
      'reconcile settle 19500',
    ],
    [
      'is looked up even when it is not eligible by now',
      { article: { eligible: false }, delivery: CREATING },
      'reconcile settle 19500',
    ],
    [
      'is looked up even when it is to be taken back',
      { delivery: { ...CREATING, withdrawRequested: true } },
      'reconcile settle 19500',
    ],
    [
      'unknown for this publish: never blindly again (F3)',
      { delivery: { ...CREATING, state: 'unknown', handledDispatch: 1 } },
      'rest nothing',
    ],
    [
      'unknown, and published again: looked up',
      { article: REPUBLISHED, delivery: { ...CREATING, state: 'unknown', handledDispatch: 1 } },
      'reconcile settle 19500',
    ],
    [
      'disconnected meanwhile: held, nothing is sent (F26)',
      { connection: null, delivery: CREATING },
      'rest held, write held not_connected',
    ],
    [
      'at a platform that recognises the same request: repeated after a minute (F3)',
      { delivery: { ...CREATING, canRepeat: true } },
      'reconcile settle 19500 repeat 59500',
      recognisesRepeats,
    ],
    [
      '… at once when the minute is over',
      { delivery: { ...CREATING, canRepeat: true, inFlightForMs: 70_000 } },
      'reconcile settle -50000 repeat 0',
      recognisesRepeats,
    ],
    [
      '… never after ten minutes',
      { delivery: { ...CREATING, canRepeat: true, inFlightForMs: 600_000 } },
      'reconcile settle -580000',
      recognisesRepeats,
    ],
    ['… never twice', { delivery: { ...CREATING, canRepeat: false } }, 'reconcile settle 19500', recognisesRepeats],
    [
      'at a platform that cannot be asked at all: no repeat (F3)',
      { delivery: { ...CREATING, canRepeat: true } },
      'reconcile settle 19500',
      cannotBeAsked,
    ],
  ],
  'what the platform cannot do': [
    [
      'change a post: it stays as it was, and the row says so',
      { delivery: { ...HERE, deliveredHash: 'h0' } },
      'rest nothing, write unchangeable',
      cannotBeAsked,
    ],
    [
      'take a post back: refused, naming the live copy',
      { article: { status: 'DRAFT' }, delivery: HERE },
      'refuse cannot_withdraw',
      cannotBeAsked,
    ],
    ['be spoken to, since there is no adapter: refused', {}, 'refuse platform_unsupported', null],
    [
      '… and whether a post is there stays unknown',
      { delivery: CREATING },
      'refuse platform_unsupported unsettled',
      null,
    ],
    ['… an update as well', { delivery: { ...HERE, deliveredHash: 'h0' } }, 'refuse platform_unsupported', null],
    ['… but what is carried already needs none', { delivery: HERE }, 'rest delivered, write upToDate', null],
  ],
};

for (const [subject, rows] of Object.entries(TABLES)) {
  describe(subject, () => {
    for (const [what, given, expected, platform = canBeAsked] of rows) {
      test(what, () => assert.equal(describeStep(nextStep(situation(given), platform, TIMEOUTS)), expected));
    }
  });
}

test('a step names its row, its attempt, its publish and its credential', () => {
  const step = nextStep(situation({ article: { dispatch: 7 }, delivery: { attempt: 3 } }), canBeAsked, TIMEOUTS);
  assert.deepEqual(step, {
    kind: 'create',
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

test('a platform that cannot take a post back is refused with the address of the copy', () => {
  const step = nextStep(situation({ article: { status: 'DRAFT' }, delivery: HERE }), cannotBeAsked, TIMEOUTS);
  assert.ok(step.kind === 'refuse');
  assert.equal(
    step.reason,
    'The copy at https://there.example/r stays live: Unasked cannot take a post back. Remove it there.',
  );
});

/** In one line: `rest nothing, write skipped`, `reconcile settle 19500 repeat 0`, `refuse code unsettled`. */
function describeStep(step: Step): string {
  switch (step.kind) {
    case 'rest': {
      const code = step.write?.kind === 'held' ? ` ${step.write.code}` : '';
      return `rest ${step.outcome}${step.write ? `, write ${step.write.kind}${code}` : ''}`;
    }
    case 'reconcile':
      return `reconcile settle ${step.settleInMs}${step.repeatInMs === null ? '' : ` repeat ${step.repeatInMs}`}`;
    case 'refuse':
      return `refuse ${step.code}${step.unsettled ? ' unsettled' : ''}`;
    default:
      return step.kind;
  }
}
