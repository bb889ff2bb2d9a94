import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DeliverySituation, decideStep } from '../../delivery/next-step.ts';

function situation(more: {
  article?: Partial<DeliverySituation['article']>;
  connection?: DeliverySituation['connection'];
  delivery?: Partial<DeliverySituation['delivery']>;
}): DeliverySituation {
  return {
    article: { status: 'PUBLISHED', dispatch: 1, wanted: true, eligible: true, hash: 'h1', ...more.article },
    connection: more.connection === undefined ? { id: 'c', status: 'active' } : more.connection,
    delivery: {
      state: 'pending',
      remoteId: null,
      deliveredHash: null,
      withdrawnAt: null,
      handledDispatch: 0,
      skippedDispatch: 0,
      withdrawRequested: false,
      inFlightAction: null,
      inFlightForMs: null,
      ...more.delivery,
    },
  };
}

const live = { remoteId: 'r', deliveredHash: 'h1', state: 'delivered' } as const;

for (const [what, given, kind] of [
  ['wanted, connected, nothing there yet: create', {}, 'create'],
  ['there with other content: update', { delivery: { ...live, deliveredHash: 'h0' } }, 'update'],
  ['there with this content: nothing', { delivery: live }, 'nothing'],
  ['withdrawn and public again: update', { delivery: { ...live, withdrawnAt: new Date() } }, 'update'],
  ['skipped on its author’s word: nothing', { delivery: { skippedDispatch: 1 } }, 'nothing'],
  ['… until it is published again', { article: { dispatch: 2 }, delivery: { skippedDispatch: 1 } }, 'create'],
  ['to be taken back, and still there: withdraw', { delivery: { ...live, withdrawRequested: true } }, 'withdraw'],
  [
    '… and away, whatever is published since: nothing',
    {
      article: { dispatch: 2, hash: 'h2' },
      delivery: { ...live, withdrawRequested: true, withdrawnAt: new Date() },
    },
    'nothing',
  ],
  ['a create may have happened: look first', { delivery: { inFlightAction: 'create' } }, 'reconcile'],
  [
    '… even when it is a draft by now',
    { article: { status: 'DRAFT' }, delivery: { inFlightAction: 'create' } },
    'reconcile',
  ],
  [
    'an update may have happened: update again',
    { delivery: { ...live, deliveredHash: 'h0', inFlightAction: 'update' } },
    'update',
  ],
  ['a draft that is out there: withdraw', { article: { status: 'DRAFT' }, delivery: live }, 'withdraw'],
  ['a draft that is not: nothing', { article: { status: 'DRAFT' } }, 'nothing'],
  ['rescheduling never deletes', { article: { status: 'SCHEDULED' }, delivery: live }, 'nothing'],
  ['not asked for: nothing', { article: { wanted: false } }, 'nothing'],
  ['not eligible: nothing', { article: { eligible: false } }, 'nothing'],
  ['not connected: hold', { connection: null }, 'hold'],
  ['refused credential: hold', { connection: { id: 'c', status: 'unauthorised' } }, 'hold'],
  ['failed for this publish: nothing more', { delivery: { state: 'failed', handledDispatch: 1 } }, 'nothing'],
  [
    'failed, and published again: create',
    { article: { dispatch: 2 }, delivery: { state: 'failed', handledDispatch: 1 } },
    'create',
  ],
  ['unknown for this publish: never blindly again', { delivery: { state: 'unknown', handledDispatch: 1 } }, 'nothing'],
] as const) {
  test(what, () => {
    assert.equal(decideStep(situation(given as Parameters<typeof situation>[0])).kind, kind);
  });
}
