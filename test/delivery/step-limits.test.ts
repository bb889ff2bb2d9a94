/** Tests the limits of the rules that decide the next step, one table row per case. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextStep } from '../../delivery/next-step.ts';
import type { DestinationAnswer, PlatformRules } from '../../delivery/types.ts';
import { buildSituation, createOnly, withLookUp, withRepeat } from './support/situation.ts';
import { CREATING, HERE, OPEN, REPORTED_UNKNOWN, repeatable, TIMEOUTS, testSteps } from './support/steps.ts';

const noWithdrawal: PlatformRules = { label: 'Kept', limits: { ...withLookUp.limits, withdraw: 'none' } };
const slowListing: PlatformRules = { label: 'Slow', limits: { ...withLookUp.limits, readLagMs: 200_000 } };
const DRAFT = { status: 'DRAFT' } as const;
const sent = (action: 'update' | 'withdraw', sentMsAgo: number) => ({ action, hash: 'h0', sentMsAgo });
const creating = (sentMsAgo: number) => ({ ...CREATING, inFlight: { ...OPEN, sentMsAgo } });
const answered = (answer: DestinationAnswer, action: 'create' | 'update' = 'create') => ({
  ...CREATING,
  inFlight: { ...OPEN, action, answer },
});
const saved = { kind: 'rejected', code: 'invalid', reason: 'No.', mayBeSaved: true } as const;

testSteps({
  'a copy with the content of the article': [
    ['its author overwrites an edit there: update', { delivery: { ...HERE, overwrite: true } }, 'update'],
    [
      'an open withdrawal may have hidden it: update',
      { delivery: { ...HERE, inFlight: { ...OPEN, action: 'withdraw' } } },
      'update',
    ],
    [
      'at a platform that cannot withdraw posts: later content is an update',
      { delivery: { ...HERE, contentHash: 'h0' } },
      'update',
      noWithdrawal,
    ],
  ],
  'an article is looked up before its first create': [
    ['not when it was stored five minutes ago', { article: { ageMs: 300_000 } }, 'create'],
    ['when it was stored earlier', { article: { ageMs: 300_001 } }, 'create after a look'],
  ],
  'an unanswered request': [
    [
      'an update can no longer arrive after 109 s: the newer update is sent',
      { delivery: { ...HERE, contentHash: null, unanswered: [sent('update', 109_000)] } },
      'update',
    ],
    [
      'the last of two updates decides the wait',
      { delivery: { ...HERE, contentHash: null, unanswered: [sent('update', 9_000), sent('update', 50_000)] } },
      'settle 100000',
    ],
    [
      'an update may restore a copy that is withdrawn now: withdrawn again when it cannot arrive',
      { article: DRAFT, delivery: { ...HERE, unanswered: [sent('update', 9_000), sent('withdraw', 1_000)] } },
      'withdraw, again in 100000',
    ],
    [
      'an earlier withdrawal does not restore it: withdrawn once',
      { article: DRAFT, delivery: { ...HERE, unanswered: [sent('withdraw', 1_000)] } },
      'withdraw',
    ],
    [
      'an update may restore a copy whose withdrawal was answered: resolved, and withdrawn again',
      {
        article: DRAFT,
        delivery: {
          ...{ ...HERE, unanswered: [sent('update', 9_000)] },
          inFlight: { ...OPEN, action: 'withdraw', answer: { kind: 'done', remote: null } },
        },
      },
      'resolve withdraw done, again in 100000',
    ],
  ],
  'a rejection that may have saved the post': [
    ['of a create is resolved while connected', { delivery: answered(saved) }, 'resolve create rejected'],
    [
      'of a create waits for the connection',
      { connection: null, delivery: answered(saved) },
      'rest held, stays due: disconnected before the look-up',
      null,
    ],
    [
      'of an update is resolved without a connection, because its post is known',
      { connection: null, delivery: { ...HERE, ...answered(saved, 'update') } },
      'resolve update rejected',
      null,
    ],
    [
      'a rejection that saved nothing is resolved without a connection',
      { connection: null, delivery: answered({ kind: 'rejected', code: 'invalid', reason: 'No.' }) },
      'resolve create rejected',
      null,
    ],
  ],
  'a create of unknown outcome': [
    [
      'reported as unknown, and disconnected: held',
      { connection: null, delivery: REPORTED_UNKNOWN },
      'rest held, stays due: disconnected while a post was being created there',
    ],
    [
      'without look-up or repeat, 1 ms before its activity ends: waits',
      { delivery: creating(28_999) },
      'settle 1',
      createOnly,
    ],
    [
      'without look-up or repeat, when its activity has ended: resolved by the author',
      { delivery: creating(29_000) },
      'reconcile settle 80000',
      createOnly,
    ],
    [
      'at a platform with a slow listing: a look-up proves nothing before the read lag',
      { delivery: CREATING },
      'reconcile settle 218500',
      slowListing,
    ],
    [
      'with a stored request, at a platform that does not recognise a repeat: not repeated',
      { delivery: repeatable(70_000) },
      'reconcile settle 39000',
    ],
    [
      'at a platform that recognises a repeat for ten minutes, 1 ms before: repeated',
      { delivery: repeatable(599_999) },
      'reconcile settle -490999 repeat 0',
      withRepeat,
    ],
    [
      'answered by the platform itself at an unknown time: settles from when it was sent',
      { delivery: answered({ kind: 'unknown', reason: '500', mayArriveLate: false }) },
      'reconcile settle 500',
    ],
  ],
});

const TARGET = { deliveryId: 'd', version: 4, attemptId: 'a1', dispatch: 1 } as const;

test('a look-up names the open attempt and has the read lag of the platform', () => {
  assert.deepEqual(nextStep(buildSituation({ delivery: CREATING }), withLookUp, TIMEOUTS), {
    ...{ ...TARGET, connectionId: 'c', connectionVersion: 2, readLagMs: 1_000, canFind: true },
    ...{ kind: 'reconcile', settleInMs: 108_500, repeatInMs: null },
  });
});

test('an answer that is resolved without a connection has no credential version and no capabilities', () => {
  const answer = { kind: 'done', remote: null } as const;
  const situation = buildSituation({ connection: null, delivery: answered(answer), article: { dispatch: 3 } });
  assert.deepEqual(nextStep(situation, null, TIMEOUTS), {
    ...{ ...TARGET, connectionId: null, connectionVersion: 0, readLagMs: 0, canFind: false },
    ...{ kind: 'conclude', dispatch: 1, action: 'create', answer, lateUpdateInMs: 0 },
  });
});
