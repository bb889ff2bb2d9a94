/** What is due for one article at one destination, as a table with a row per case. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextStep } from '../../delivery/next-step.ts';
import { buildSituation, createOnly, withLookUp, withRepeat } from './support/situation.ts';
import { CREATING, HERE, OLD, OPEN, REFUSED, REPUBLISHED, TIMEOUTS, testSteps, WITHDRAWN } from './support/steps.ts';

testSteps({
  'a published article': [
    ['wanted, connected, not there yet: create', {}, 'create'],
    ['there with other content: update', { delivery: { ...HERE, contentHash: 'h0' } }, 'update'],
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
      { delivery: { ...HERE, contentHash: null, unanswered: [{ action: 'update', hash: 'h0', forMs: 9_000 }] } },
      'settle 100000',
    ],
    [
      'an update of the same content may still arrive: it is sent again at once',
      { delivery: { ...HERE, contentHash: null, unanswered: [{ action: 'update', hash: 'h1', forMs: 9_000 }] } },
      'update',
    ],
    [
      'a withdrawal that nobody answered may still arrive: the update waits for it (F32)',
      { delivery: { ...HERE, contentHash: null, unanswered: [{ action: 'withdraw', hash: 'h1', forMs: 9_000 }] } },
      'settle 100000',
    ],
    [
      'answered for this publish, and there with other content: nothing until it is published again',
      { delivery: { ...HERE, contentHash: 'h0', handledDispatch: 1 } },
      'rest nothing',
    ],
    ['not asked for: nothing', { article: { selected: false } }, 'rest nothing'],
    ['not eligible: nothing', { article: { eligible: false } }, 'rest nothing'],
    [
      'imported, and a draft: the original stays',
      { article: { imported: true, eligible: false, status: 'DRAFT' }, delivery: { remoteId: 'r1' } },
      'rest nothing',
    ],
    [
      'imported, and withdrawn by command: withdrawn',
      { article: { imported: true, eligible: false }, delivery: { ...HERE, withdrawRequested: true } },
      'withdraw',
    ],
    ['not connected: held', { connection: null }, 'rest held, stays due'],
    ['the credential was refused: held', { connection: REFUSED }, 'rest held, stays due'],
    [
      'an update may have happened: update again',
      { delivery: { ...HERE, contentHash: null, inFlight: { ...OPEN, action: 'update' } } },
      'update',
    ],
    [
      'an update may have happened, and it is not asked for any more: nothing, and the row says so',
      {
        article: { selected: false },
        delivery: { ...HERE, contentHash: null, inFlight: { ...OPEN, action: 'update' } },
      },
      'rest nothing',
    ],
    [
      'a withdrawal may have happened, and it is public again: update',
      { delivery: { ...HERE, contentHash: null, inFlight: { ...OPEN, action: 'withdraw' } } },
      'update',
    ],
  ],
  'a command of the author': [
    ['skip: nothing, and the row says so', { delivery: { skippedDispatch: 1 } }, 'rest nothing'],
    ['skip, and published again: create', { article: REPUBLISHED, delivery: { skippedDispatch: 1 } }, 'create'],
    ['withdraw, and still there: withdraw', { delivery: { ...HERE, withdrawRequested: true } }, 'withdraw'],
    [
      'withdraw, done, and published again: nothing',
      { article: { ...REPUBLISHED, hash: 'h2' }, delivery: { ...HERE, ...WITHDRAWN, withdrawRequested: true } },
      'rest nothing',
    ],
    [
      'withdraw, after an update that may have put the withdrawn copy back: withdrawn again',
      {
        delivery: {
          ...{ ...HERE, presence: 'uncertain', withdrawRequested: true, contentHash: null },
          inFlight: { ...OPEN, action: 'update' },
        },
      },
      'withdraw',
    ],
    ['withdraw, and never was there: nothing', { delivery: { withdrawRequested: true } }, 'rest nothing'],
    [
      'skip of a withdrawal: nothing, and the row says so',
      { article: { status: 'DRAFT' }, delivery: { ...HERE, skippedDispatch: 1 } },
      'rest nothing',
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
      'a draft whose withdrawn copy an update may have put back: withdrawn again, once that cannot arrive any more',
      {
        article: { status: 'DRAFT' },
        delivery: {
          ...{ ...HERE, presence: 'uncertain', contentHash: null },
          inFlight: { ...OPEN, action: 'update' },
          unanswered: [{ action: 'update', hash: 'h1', forMs: 109_000 }],
        },
      },
      'withdraw',
    ],
    [
      'a draft whose withdrawn copy an update may have put back just now: withdrawn at once (F39)',
      {
        article: { status: 'DRAFT' },
        delivery: {
          ...{ ...HERE, presence: 'uncertain', contentHash: null },
          inFlight: { ...OPEN, action: 'update' },
          unanswered: [{ action: 'update', hash: 'h1', forMs: 9_000 }],
        },
      },
      'withdraw',
    ],
    [
      'withdrawn, and an update from before may still put the copy back: withdrawn once more when it cannot (F39)',
      {
        article: { status: 'DRAFT' },
        delivery: {
          ...{ ...HERE, presence: 'uncertain', contentHash: null },
          unanswered: [{ action: 'update', hash: 'h1', forMs: 9_000 }],
        },
      },
      'settle 100000',
    ],
    [
      'a draft that is there, and an update may still arrive: withdrawn at once (F39)',
      {
        article: { status: 'DRAFT' },
        delivery: { ...HERE, unanswered: [{ action: 'update', hash: 'h0', forMs: 9_000 }] },
      },
      'withdraw',
    ],
    [
      'a draft that is there, not connected: held',
      { article: { status: 'DRAFT' }, delivery: HERE, connection: null },
      'rest held, stays due',
    ],
    [
      'a draft that is there, credential refused: held',
      { article: { status: 'DRAFT' }, delivery: HERE, connection: REFUSED },
      'rest held, stays due',
    ],
    [
      'a draft whose withdrawal failed permanently: nothing',
      { article: { status: 'DRAFT' }, delivery: { ...HERE, failedWith: 'rejected', handledDispatch: 1 } },
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
        delivery: { ...HERE, failedWith: 'cannot_withdraw', handledDispatch: 2 },
      },
      'rest nothing',
      createOnly,
    ],
    [
      'the withdrawal was given up, and it is scheduled again: withdraw',
      {
        article: { status: 'SCHEDULED', dispatch: 3 },
        delivery: { ...HERE, failedWith: 'rejected', handledDispatch: 2 },
      },
      'withdraw',
    ],
    [
      'scheduled while a create is in flight: looked up, since it may have to be withdrawn',
      { article: { status: 'SCHEDULED' }, delivery: CREATING },
      'reconcile settle 108500',
    ],
    ['scheduled and not there: nothing yet', { article: { status: 'SCHEDULED' } }, 'rest nothing'],
  ],
  'another account': [
    [
      'connected after the publish was answered, and nothing is there: nothing (F41)',
      { delivery: { handledDispatch: 1 } },
      'rest nothing',
    ],
    ['published again since: create', { article: REPUBLISHED, delivery: { handledDispatch: 1 } }, 'create'],
  ],
  'a suspended author': [
    ['nothing is sent, and it stays due (F42)', { article: { isSuspended: true } }, 'rest nothing, stays due'],
    [
      'what is out there is still taken back',
      { article: { isSuspended: true, status: 'DRAFT' }, delivery: HERE },
      'withdraw',
    ],
  ],
  'a publish that has its outcome': [
    [
      'failed for this publish: nothing more',
      { delivery: { failedWith: 'rejected', handledDispatch: 1 } },
      'rest nothing',
    ],
    [
      'failed, and published again: create',
      { article: REPUBLISHED, delivery: { failedWith: 'rejected', handledDispatch: 1 } },
      'create',
    ],
    [
      'an update failed, and published again: update',
      { article: { ...REPUBLISHED, hash: 'h2' }, delivery: { ...HERE, failedWith: 'rejected', handledDispatch: 1 } },
      'update',
    ],
    ['held, and connected since: create', {}, 'create'],
  ],
  'an action that the platform cannot do': [
    [
      'an update: nothing, and the row says that the post stays as it is',
      { delivery: { ...HERE, contentHash: 'h0' } },
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
      { delivery: { ...HERE, contentHash: 'h0' } },
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
});

test('a step names the versions of what it was decided from, and the publish', () => {
  const step = nextStep(buildSituation({ article: { dispatch: 7 }, delivery: { version: 3 } }), withLookUp, TIMEOUTS);
  assert.deepEqual(step, {
    kind: 'create',
    lookFirst: false,
    deliveryId: 'd',
    version: 3,
    attemptId: null,
    dispatch: 7,
    connectionId: 'c',
    connectionVersion: 2,
    readLagMs: 1_000,
    canFind: true,
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
    version: 4,
    attemptId: null,
    dispatch: 1,
    connectionId: 'c',
    connectionVersion: 2,
    readLagMs: 0,
    canFind: false,
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
