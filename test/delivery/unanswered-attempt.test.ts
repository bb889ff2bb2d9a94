/** Tests the author's message for an unanswered attempt, by the due step. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeUnknownAttempt } from '../../delivery/describe-unanswered.ts';
import { nextStep } from '../../delivery/next-step.ts';
import type { InFlight, PlatformRules } from '../../delivery/types.ts';
import { buildSituation, createOnly, type SituationOverrides, withLookUp, withRepeat } from './support/situation.ts';
import { CREATING, OPEN, repeatable, TIMEOUTS, UNKNOWN_ANSWER } from './support/steps.ts';

const LIVE = { presence: 'live', remoteId: 'r' } as const;
const open = (action: InFlight['action']) => ({ inFlight: { ...OPEN, action } });
const sent = (action: InFlight['action']) => ({ unanswered: [{ action, hash: 'h1', sentMsAgo: 1_000 }] });

const CASES: [name: string, overrides: SituationOverrides, platform: PlatformRules, next: string | null][] = [
  [
    'a create at a platform with look-up',
    { delivery: CREATING },
    withLookUp,
    'Before anything else is sent, Courant checks whether the destination has the post.',
  ],
  [
    'a create at a platform that recognises a repeat',
    { delivery: repeatable(500) },
    withRepeat,
    'The identical request is sent once more; the destination responds with the post that the first one created.',
  ],
  [
    'a create at a platform with neither look-up nor repeat',
    { delivery: CREATING },
    createOnly,
    'Courant cannot check the destination. If no response arrives, check there yourself.',
  ],
  [
    'an update',
    { delivery: { ...LIVE, ...open('update'), ...sent('update') } },
    withLookUp,
    'The request is repeated.',
  ],
  [
    'an update of a post that must be withdrawn',
    { article: { status: 'DRAFT' }, delivery: { ...LIVE, ...open('update'), ...sent('update') } },
    withLookUp,
    'The post is withdrawn now, and again when the interrupted request can no longer arrive.',
  ],
  ['a withdrawal of a post that is published again', { delivery: { ...LIVE, ...open('withdraw') } }, withLookUp, null],
  [
    'a withdrawal',
    { article: { status: 'DRAFT' }, delivery: { ...LIVE, ...open('withdraw'), ...sent('withdraw') } },
    withLookUp,
    'The request is repeated.',
  ],
  [
    'a create at a platform with neither look-up nor repeat, when its activity has ended',
    { delivery: { ...CREATING, inFlight: { ...OPEN, sentMsAgo: 29_000 } } },
    createOnly,
    'Courant cannot check the destination. If no response arrives, check there yourself.',
  ],
  [
    'an update, with a newer one due that would overtake it',
    { delivery: { ...LIVE, ...open('update'), unanswered: [{ action: 'update', hash: 'h0', sentMsAgo: 1_000 }] } },
    withLookUp,
    'The due change is sent when the interrupted request can no longer arrive.',
  ],
  ['an answered attempt', { delivery: UNKNOWN_ANSWER }, withLookUp, null],
  ['no attempt', {}, withLookUp, null],
];

const INTERRUPTED =
  'The outcome of the last attempt is not known yet: it was interrupted before the response was stored.';

for (const [name, overrides, platform, next] of CASES) {
  test(`${name}: ${next ?? 'nothing'}`, () => {
    const situation = buildSituation(overrides);
    const step = nextStep(situation, platform, TIMEOUTS);
    assert.ok(step.kind !== 'rest');
    const message = describeUnknownAttempt(situation.delivery.inFlight, step);
    assert.equal(message, next && `${INTERRUPTED} ${next}`);
  });
}
