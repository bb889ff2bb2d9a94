/** Tests the next step of one article at one destination, one table row per case. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextStep } from '../../delivery/next-step.ts';
import { buildSituation, createOnly, withLookUp, withRepeat } from './support/situation.ts';
import { CREATING, HERE, OLD, OPEN, REFUSED, REPUBLISHED, TIMEOUTS, testSteps, WITHDRAWN } from './support/steps.ts';

testSteps({
  'a published article': [
    ['selected, connected, without a copy: create', {}, 'create'],
    ['a copy with other content: update', { delivery: { ...HERE, contentHash: 'h0' } }, 'update'],
    [
      'a copy with this content: nothing, and the row is marked up to date',
      { delivery: HERE },
      'rest delivered, write upToDate: already delivered',
    ],
    ['a copy that was withdrawn: update', { delivery: { ...HERE, ...WITHDRAWN } }, 'update'],
    ['selected, at a platform that cannot update posts: create', {}, 'create', createOnly],
    [
      'first stored long ago: looked up before the create, because the ledger may be a backup (F31)',
      { article: OLD },
      'create after a look',
    ],
    [
      'attempted before: looked up directly before the create (F32)',
      { delivery: { wasAttempted: true } },
      'create after a look',
    ],
    [
      'in a restored ledger: looked up before the create (F31)',
      { delivery: { wasRestored: true } },
      'create after a look',
    ],
    ['first stored long ago, at a platform without look-up: create', { article: OLD }, 'create', createOnly],
    [
      'an unanswered update may still arrive: a newer update waits for it (F32)',
      { delivery: { ...HERE, contentHash: null, unanswered: [{ action: 'update', hash: 'h0', sentMsAgo: 9_000 }] } },
      'settle 100000',
    ],
    [
      'an unanswered update of the same content may still arrive: sent again at once',
      { delivery: { ...HERE, contentHash: null, unanswered: [{ action: 'update', hash: 'h1', sentMsAgo: 9_000 }] } },
      'update',
    ],
    [
      'an unanswered withdrawal may still arrive: the update waits for it (F32)',
      { delivery: { ...HERE, contentHash: null, unanswered: [{ action: 'withdraw', hash: 'h1', sentMsAgo: 9_000 }] } },
      'settle 100000',
    ],
    [
      'handled for this publish, with outdated content: nothing until it is published again',
      { delivery: { ...HERE, contentHash: 'h0', handledDispatch: 1 } },
      'rest nothing: this publish was already answered',
    ],
    ['not selected: nothing', { article: { isSelected: false } }, 'rest nothing: not selected'],
    ['not eligible: nothing', { article: { isEligible: false } }, 'rest nothing: not eligible for promotion'],
    [
      'imported, and a draft: the original is not withdrawn',
      { article: { isImported: true, isEligible: false, status: 'DRAFT' }, delivery: { remoteId: 'r1' } },
      'rest nothing: imported: the post there is the original',
    ],
    [
      'imported, and withdrawn by command: withdrawn',
      { article: { isImported: true, isEligible: false }, delivery: { ...HERE, withdrawRequested: true } },
      'withdraw',
    ],
    ['not connected: held', { connection: null }, 'rest held, stays due: not connected'],
    ['the credential was refused: held', { connection: REFUSED }, 'rest held, stays due: the credential was refused'],
    [
      'an update of unknown outcome: update again',
      { delivery: { ...HERE, contentHash: null, inFlight: { ...OPEN, action: 'update' } } },
      'update',
    ],
    [
      'an update of unknown outcome, and not selected any more: nothing',
      {
        article: { isSelected: false },
        delivery: { ...HERE, contentHash: null, inFlight: { ...OPEN, action: 'update' } },
      },
      'rest nothing: not selected',
    ],
    [
      'a withdrawal of unknown outcome, and public again: update',
      { delivery: { ...HERE, contentHash: null, inFlight: { ...OPEN, action: 'withdraw' } } },
      'update',
    ],
  ],
  'a command of the author': [
    ['skip: nothing', { delivery: { skippedDispatch: 1 } }, 'rest nothing: skipped at the author’s request'],
    ['skip, and published again: create', { article: REPUBLISHED, delivery: { skippedDispatch: 1 } }, 'create'],
    ['withdraw, with a live copy: withdraw', { delivery: { ...HERE, withdrawRequested: true } }, 'withdraw'],
    [
      'withdraw, done, and published again: nothing',
      { article: { ...REPUBLISHED, hash: 'h2' }, delivery: { ...HERE, ...WITHDRAWN, withdrawRequested: true } },
      'rest nothing: withdrawn at the author’s request',
    ],
    [
      'withdraw, after an update that may have restored the withdrawn copy: withdrawn again',
      {
        delivery: {
          ...{ ...HERE, presence: 'uncertain', withdrawRequested: true, contentHash: null },
          inFlight: { ...OPEN, action: 'update' },
        },
      },
      'withdraw',
    ],
    [
      'withdraw, without a copy: nothing',
      { delivery: { withdrawRequested: true } },
      'rest nothing: withdrawn at the author’s request',
    ],
    [
      'skip of a withdrawal: nothing',
      { article: { status: 'DRAFT' }, delivery: { ...HERE, skippedDispatch: 1 } },
      'rest nothing: skipped at the author’s request',
    ],
  ],
  'an article that is not public': [
    ['a draft with a live copy: withdraw', { article: { status: 'DRAFT' }, delivery: HERE }, 'withdraw'],
    [
      'a draft with a live copy, at a platform that cannot update posts: withdraw',
      { article: { status: 'DRAFT' }, delivery: HERE },
      'withdraw',
      withRepeat,
    ],
    ['a draft without a copy: nothing', { article: { status: 'DRAFT' } }, 'rest nothing: a draft is not delivered'],
    [
      'a draft with a withdrawn copy: nothing',
      { article: { status: 'DRAFT' }, delivery: { ...HERE, ...WITHDRAWN } },
      'rest nothing: a draft is not delivered',
    ],
    [
      'a draft with a withdrawn copy that an earlier update may have restored: withdrawn again',
      {
        article: { status: 'DRAFT' },
        delivery: {
          ...{ ...HERE, presence: 'uncertain', contentHash: null },
          inFlight: { ...OPEN, action: 'update' },
          unanswered: [{ action: 'update', hash: 'h1', sentMsAgo: 109_000 }],
        },
      },
      'withdraw',
    ],
    [
      'a draft with a withdrawn copy that a recent update may have restored: withdrawn at once (F39)',
      {
        article: { status: 'DRAFT' },
        delivery: {
          ...{ ...HERE, presence: 'uncertain', contentHash: null },
          inFlight: { ...OPEN, action: 'update' },
          unanswered: [{ action: 'update', hash: 'h1', sentMsAgo: 9_000 }],
        },
      },
      'withdraw, again in 100000',
    ],
    [
      'withdrawn, and an earlier update may still restore the copy: withdrawn again when it cannot arrive (F39)',
      {
        article: { status: 'DRAFT' },
        delivery: {
          ...{ ...HERE, presence: 'uncertain', contentHash: null },
          unanswered: [{ action: 'update', hash: 'h1', sentMsAgo: 9_000 }],
        },
      },
      'settle 100000',
    ],
    [
      'a draft with a live copy, and an update may still arrive: withdrawn at once (F39)',
      {
        article: { status: 'DRAFT' },
        delivery: { ...HERE, unanswered: [{ action: 'update', hash: 'h0', sentMsAgo: 9_000 }] },
      },
      'withdraw, again in 100000',
    ],
    [
      'a draft with a live copy, not connected: held',
      { article: { status: 'DRAFT' }, delivery: HERE, connection: null },
      'rest held, stays due: The copy at https://there.example/r stays live: the destination is not connected. Remove it there, or connect it again.',
    ],
    [
      'a draft with a live copy, credential refused: held',
      { article: { status: 'DRAFT' }, delivery: HERE, connection: REFUSED },
      'rest held, stays due: The copy at https://there.example/r stays live until you connect the destination again, because it rejected the credential.',
    ],
    [
      'a draft after a permanently failed withdrawal: nothing',
      { article: { status: 'DRAFT' }, delivery: { ...HERE, failedWith: 'rejected', handledDispatch: 1 } },
      'rest nothing: this publish was already answered',
    ],
    [
      'scheduled, with a live copy from before: withdraw',
      { article: { status: 'SCHEDULED' }, delivery: HERE },
      'withdraw',
    ],
    [
      'scheduled, with a withdrawn copy: nothing until its time',
      { article: { status: 'SCHEDULED' }, delivery: { ...HERE, ...WITHDRAWN } },
      'rest nothing: scheduled: not due yet',
    ],
    [
      'scheduled, with a copy at a platform that cannot withdraw: refused',
      { article: { status: 'SCHEDULED' }, delivery: HERE },
      'refuse cannot_withdraw',
      createOnly,
    ],
    [
      'scheduled again, after the author was notified that the copy remains: nothing',
      {
        article: { status: 'SCHEDULED', dispatch: 3 },
        delivery: { ...HERE, failedWith: 'cannot_withdraw', handledDispatch: 2 },
      },
      'rest nothing: the platform cannot withdraw a post',
      createOnly,
    ],
    [
      'scheduled again, after a failed withdrawal: withdraw',
      {
        article: { status: 'SCHEDULED', dispatch: 3 },
        delivery: { ...HERE, failedWith: 'rejected', handledDispatch: 2 },
      },
      'withdraw',
    ],
    [
      'scheduled while a create is in flight: looked up, because it may have to be withdrawn',
      { article: { status: 'SCHEDULED' }, delivery: CREATING },
      'reconcile settle 108500',
    ],
    [
      'scheduled, without a copy: nothing yet',
      { article: { status: 'SCHEDULED' } },
      'rest nothing: scheduled: not due yet',
    ],
  ],
  'another account': [
    [
      'connected after the publish was handled, without a copy: nothing (F41)',
      { delivery: { handledDispatch: 1 } },
      'rest nothing: this publish was already answered',
    ],
    ['published again since: create', { article: REPUBLISHED, delivery: { handledDispatch: 1 } }, 'create'],
  ],
  'a suspended author': [
    [
      'nothing is sent, and it remains due (F42)',
      { article: { isSuspended: true } },
      'rest nothing, stays due: the author is suspended',
    ],
    [
      'a live copy of a draft is still withdrawn',
      { article: { isSuspended: true, status: 'DRAFT' }, delivery: HERE },
      'withdraw',
    ],
  ],
  'a publish that has its outcome': [
    [
      'failed for this publish: nothing more',
      { delivery: { failedWith: 'rejected', handledDispatch: 1 } },
      'rest nothing: this publish was already answered',
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
  'an action that the platform does not support': [
    [
      'an update: nothing, and the row records that the post is unchangeable',
      { delivery: { ...HERE, contentHash: 'h0' } },
      'rest nothing, write unchangeable: Create only cannot update posts: the copy at https://there.example/r stays as it was published.',
      createOnly,
    ],
    ['a withdrawal: refused', { article: { status: 'DRAFT' }, delivery: HERE }, 'refuse cannot_withdraw', createOnly],
    ['a create, without an adapter: refused', {}, 'refuse platform_unsupported', null],
    [
      'a create of unknown outcome, without an adapter: refused, and the outcome remains unknown',
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
      'a copy with this content, without an adapter: nothing',
      { delivery: HERE },
      'rest delivered, write upToDate: already delivered',
      null,
    ],
  ],
});

test('a step contains the versions and the dispatch that it was decided from', () => {
  const step = nextStep(buildSituation({ article: { dispatch: 7 }, delivery: { version: 3 } }), withLookUp, TIMEOUTS);
  assert.deepEqual(step, {
    kind: 'create',
    shouldLookUp: false,
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

test('a step without an adapter has no capabilities of the platform', () => {
  const step = nextStep(buildSituation({ connection: { platform: 'gone' } }), null, TIMEOUTS);
  assert.deepEqual(step, {
    kind: 'refuse',
    code: 'platform_unsupported',
    reason: 'This version has no adapter for the platform "gone".',
    isUnsettled: false,
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

test('a refused withdrawal names the URL of the copy', () => {
  const step = nextStep(buildSituation({ article: { status: 'DRAFT' }, delivery: HERE }), createOnly, TIMEOUTS);
  assert.ok(step.kind === 'refuse');
  assert.equal(
    step.reason,
    'The copy at https://there.example/r stays live: Create only cannot withdraw posts. Remove it there.',
  );
});
