/** Which state operators find for each step, wait and end of a delivery. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextStep } from '../../delivery/next-step.ts';
import { type DeliveryOutcome, nameEffect, nameRest } from '../../delivery/outcome.ts';
import type { Effect, End, PlatformRules } from '../../delivery/types.ts';
import { buildSituation, createOnly, type Given, withLookUp } from './support/situation.ts';
import { ASKED, HERE, REFUSED, REPUBLISHED, TIMEOUTS, WITHDRAWN } from './support/steps.ts';

const replan = (afterMs: number, forSlot: boolean): Effect => ({ kind: 'replan', afterMs, why: '', forSlot });
const end = (outcome: End['outcome']): Effect => ({ kind: 'end', outcome, why: '' });

for (const [what, effect, expected] of [
  ['a call', { kind: 'send', action: 'create' }, 'sending'],
  ['the same request once more', { kind: 'repeat' }, 'sending'],
  ['a look-up', { kind: 'look' }, 'sending'],
  ['a probe', { kind: 'probe' }, 'sending'],
  ['an ending that is written down', { kind: 'record', record: { kind: 'absent' } }, 'sending'],
  ['a block of the account', { kind: 'block', forMs: 1 }, 'sending'],
  ['a pause before a probe or a look', { kind: 'pause', forMs: 1 }, 'retrying'],
  ['another plan at once', replan(0, false), 'sending'],
  ['another plan for a slot that has come', replan(0, true), 'sending'],
  ['the wait for a slot', replan(1, true), 'waiting'],
  ['the pause after a failure', replan(1, false), 'retrying'],
  ['an end: delivered', end('delivered'), 'delivered'],
  ['an end: withdrawn', end('withdrawn'), 'withdrawn'],
  ['an end: failed', end('failed'), 'failed'],
  ['an end: held', end('held'), 'held'],
  ['an end: unknown', end('unknown'), 'unknown'],
] satisfies [string, Effect, DeliveryOutcome][]) {
  test(`${what} is ${expected}`, () => assert.equal(nameEffect(effect), expected));
}

const DRAFT = { status: 'DRAFT' } as const;
const FAILED = { failedWith: 'rejected', handledDispatch: 1 } as const;

for (const [what, given, expected, platform = withLookUp] of [
  ['carried already', { delivery: HERE }, 'delivered'],
  ['not connected', { connection: null }, 'held'],
  ['refused credential', { connection: REFUSED }, 'held'],
  ['skipped by command', { delivery: { skippedDispatch: 1 } }, 'skipped'],
  ['skipped while an older copy stays', { delivery: { ...HERE, contentHash: 'h0', skippedDispatch: 1 } }, 'skipped'],
  ['a copy that the platform cannot change', { delivery: { ...HERE, contentHash: 'h0' } }, 'outdated', createOnly],
  ['answered with a failure', { delivery: FAILED }, 'failed'],
  ['its author was asked to look', { delivery: ASKED }, 'unknown'],
  [
    'a draft of which an earlier publish failed',
    { article: { ...DRAFT, ...REPUBLISHED }, delivery: FAILED },
    'pending',
  ],
  ['a draft that was never sent', { article: DRAFT }, 'pending'],
  ['scheduled', { article: { status: 'SCHEDULED' } }, 'pending'],
  ['a draft of which the copy was withdrawn', { article: DRAFT, delivery: { ...HERE, ...WITHDRAWN } }, 'withdrawn'],
  ['withdrawn by command before it was sent', { delivery: { withdrawRequested: true } }, 'withdrawn'],
  [
    'a copy that the platform cannot withdraw',
    { article: { ...DRAFT, ...REPUBLISHED }, delivery: { ...HERE, ...FAILED, failedWith: 'cannot_withdraw' } },
    'failed',
    createOnly,
  ],
  ['not asked for, never sent', { article: { selected: false } }, 'skipped'],
  ['not eligible, never sent', { article: { eligible: false } }, 'skipped'],
  ['not asked for any more, there as it is', { article: { selected: false }, delivery: HERE }, 'delivered'],
  [
    'not asked for any more, there as it was',
    { article: { selected: false }, delivery: { ...HERE, contentHash: 'h0' } },
    'outdated',
  ],
  ['imported, never sent', { article: { imported: true } }, 'skipped'],
] satisfies [string, Given, DeliveryOutcome, PlatformRules?][]) {
  test(`nothing to send, ${what}: ${expected}`, () => {
    const situation = buildSituation(given);
    const step = nextStep(situation, platform, TIMEOUTS);
    assert.ok(step.kind === 'rest', step.kind);
    assert.equal(nameRest(step, situation), expected);
  });
}
