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

const CASES: [name: string, overrides: SituationOverrides, platform: PlatformRules, pattern: RegExp | null][] = [
  [
    'a create at a platform with look-up',
    { delivery: CREATING },
    withLookUp,
    /checks whether the destination has the post/,
  ],
  [
    'a create at a platform that recognises a repeat',
    { delivery: repeatable(500) },
    withRepeat,
    /identical request is sent once more/,
  ],
  [
    'a create at a platform with neither look-up nor repeat',
    { delivery: CREATING },
    createOnly,
    /check there yourself/,
  ],
  [
    'an update',
    { delivery: { ...LIVE, ...open('update'), ...sent('update') } },
    withLookUp,
    /The request is repeated\.$/,
  ],
  [
    'an update of a post that must be withdrawn',
    { article: { status: 'DRAFT' }, delivery: { ...LIVE, ...open('update'), ...sent('update') } },
    withLookUp,
    /withdrawn now, and again when/,
  ],
  ['a withdrawal of a post that is published again', { delivery: { ...LIVE, ...open('withdraw') } }, withLookUp, null],
  [
    'a withdrawal',
    { article: { status: 'DRAFT' }, delivery: { ...LIVE, ...open('withdraw'), ...sent('withdraw') } },
    withLookUp,
    /The request is repeated\.$/,
  ],
  ['an answered attempt', { delivery: UNKNOWN_ANSWER }, withLookUp, null],
  ['no attempt', {}, withLookUp, null],
];

for (const [name, overrides, platform, pattern] of CASES) {
  test(`${name}: ${pattern?.source ?? 'nothing'}`, () => {
    const situation = buildSituation(overrides);
    const step = nextStep(situation, platform, TIMEOUTS);
    assert.notEqual(step.kind, 'rest');
    const message = step.kind === 'rest' ? null : describeUnknownAttempt(situation.delivery.inFlight, step);
    if (pattern === null) return assert.equal(message, null);
    assert.match(message ?? '', pattern);
    assert.match(
      message ?? '',
      /^The outcome of the last attempt is not known yet: it was interrupted before the response was stored\. /,
    );
  });
}
