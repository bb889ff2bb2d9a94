/** Tests the operators' outcome of each effect and rest of a delivery. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextStep } from '../../delivery/next-step.ts';
import { type DeliveryOutcome, nameEffect, nameRest } from '../../delivery/outcome.ts';
import type { Effect, End, PlatformRules } from '../../delivery/types.ts';
import { buildSituation, createOnly, type SituationOverrides, withLookUp } from './support/situation.ts';
import { HERE, OPEN, REFUSED, REPORTED_UNKNOWN, REPUBLISHED, TIMEOUTS, WITHDRAWN } from './support/steps.ts';

const replan = (afterMs: number, forSlot: boolean): Effect => ({ kind: 'replan', afterMs, reason: '', forSlot });
const end = (outcome: End['outcome']): Effect => ({ kind: 'end', outcome, reason: '' });

for (const [name, effect, expected] of [
  ['a call', { kind: 'send', action: 'create' }, 'sending'],
  ['a repeat of the identical request', { kind: 'repeat' }, 'sending'],
  ['a look-up', { kind: 'lookUp' }, 'sending'],
  ['a probe', { kind: 'probe' }, 'sending'],
  ['the record of an ending', { kind: 'record', record: { kind: 'absent' } }, 'sending'],
  ['a block of the account', { kind: 'block', forMs: 1 }, 'sending'],
  ['a pause before a probe or a look-up', { kind: 'pause', forMs: 1 }, 'retrying'],
  ['another plan at once', replan(0, false), 'sending'],
  ['another plan for a slot that is due', replan(0, true), 'sending'],
  ['the wait for a slot', replan(1, true), 'waiting'],
  ['the pause after a failure', replan(1, false), 'retrying'],
  ['an end: delivered', end('delivered'), 'delivered'],
  ['an end: withdrawn', end('withdrawn'), 'withdrawn'],
  ['an end: failed', end('failed'), 'failed'],
  ['an end: held', end('held'), 'held'],
  ['an end: unknown', end('unknown'), 'unknown'],
] satisfies [string, Effect, DeliveryOutcome][]) {
  test(`${name} is ${expected}`, () => assert.equal(nameEffect(effect), expected));
}

const DRAFT = { status: 'DRAFT' } as const;
const FAILED = { failedWith: 'rejected', handledDispatch: 1 } as const;

for (const [name, overrides, expected, platform = withLookUp] of [
  ['the copy is up to date', { delivery: HERE }, 'delivered'],
  ['not connected', { connection: null }, 'held'],
  ['refused credential', { connection: REFUSED }, 'held'],
  ['skipped by command', { delivery: { skippedDispatch: 1 } }, 'skipped'],
  ['skipped with an outdated copy', { delivery: { ...HERE, contentHash: 'h0', skippedDispatch: 1 } }, 'skipped'],
  ['a copy that the platform cannot update', { delivery: { ...HERE, contentHash: 'h0' } }, 'outdated', createOnly],
  ['this dispatch failed', { delivery: FAILED }, 'failed'],
  ['the unknown outcome was reported to the author', { delivery: REPORTED_UNKNOWN }, 'unknown'],
  ['a draft after a failed publish', { article: { ...DRAFT, ...REPUBLISHED }, delivery: FAILED }, 'pending'],
  ['a draft that was never sent', { article: DRAFT }, 'pending'],
  ['scheduled', { article: { status: 'SCHEDULED' } }, 'pending'],
  ['a draft with a withdrawn copy', { article: DRAFT, delivery: { ...HERE, ...WITHDRAWN } }, 'withdrawn'],
  ['withdrawn by command before it was sent', { delivery: { withdrawRequested: true } }, 'withdrawn'],
  [
    'a copy that the platform cannot withdraw',
    { article: { ...DRAFT, ...REPUBLISHED }, delivery: { ...HERE, ...FAILED, failedWith: 'cannot_withdraw' } },
    'failed',
    createOnly,
  ],
  ['not selected, never sent', { article: { isSelected: false } }, 'skipped'],
  ['not eligible, never sent', { article: { isEligible: false } }, 'skipped'],
  ['not selected any more, copy up to date', { article: { isSelected: false }, delivery: HERE }, 'delivered'],
  [
    'not selected any more, copy outdated',
    { article: { isSelected: false }, delivery: { ...HERE, contentHash: 'h0' } },
    'outdated',
  ],
  ['imported, never sent', { article: { isImported: true } }, 'skipped'],
  ['a draft with a deleted copy', { article: DRAFT, delivery: { ...HERE, presence: 'deleted' } }, 'withdrawn'],
  [
    'not selected any more, with an update of unknown outcome',
    { article: { isSelected: false }, delivery: { ...HERE, inFlight: { ...OPEN, action: 'update' } } },
    'delivered',
  ],
  [
    'not selected any more, after an update that the platform cannot make',
    {
      article: { isSelected: false },
      delivery: { ...HERE, contentHash: 'h0', failedWith: 'cannot_update', handledDispatch: 1 },
    },
    'outdated',
  ],
] satisfies [string, SituationOverrides, DeliveryOutcome, PlatformRules?][]) {
  test(`nothing to send, ${name}: ${expected}`, () => {
    const situation = buildSituation(overrides);
    const step = nextStep(situation, platform, TIMEOUTS);
    assert.ok(step.kind === 'rest', step.kind);
    assert.equal(nameRest(step, situation), expected);
  });
}
