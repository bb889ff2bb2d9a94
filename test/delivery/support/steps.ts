/** The runner for tables of `nextStep`: one row per case, with the step as one line. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nextStep } from '../../../delivery/next-step.ts';
import type { PlatformRules, Step } from '../../../delivery/types.ts';
import { buildSituation, type SituationOverrides, withLookUp } from './situation.ts';

/** The settle time is 109 s: 15 s and 4 s for the request, and 90 s for a late arrival. */
export const TIMEOUTS = { httpMs: 15_000, startSendingMs: 4_000, lateArrivalMs: 90_000 };

export const HERE = {
  remoteId: 'r',
  remoteUrl: 'https://there.example/r',
  contentHash: 'h1',
  presence: 'live',
} as const;
export const OPEN = {
  id: 'a1',
  action: 'create',
  dispatch: 1,
  sentMsAgo: 500,
  answeredMsAgo: null,
  answer: null,
  unknownDispatch: null,
  canRepeat: false,
} as const;
export const CREATING = { presence: 'uncertain', inFlight: OPEN, wasAttempted: true } as const;
export const REPORTED_UNKNOWN = { ...CREATING, inFlight: { ...OPEN, unknownDispatch: 1 }, handledDispatch: 1 } as const;
export const UNKNOWN_ANSWER = {
  ...CREATING,
  inFlight: { ...OPEN, answer: { kind: 'unknown', reason: 'cut' } },
} as const;
export const repeatable = (sentMsAgo: number) => ({ ...CREATING, inFlight: { ...OPEN, canRepeat: true, sentMsAgo } });
export const OLD = { ageMs: 3_600_000 } as const;
export const REFUSED = { status: 'unauthorised' } as const;
export const REPUBLISHED = { dispatch: 2 } as const;
export const WITHDRAWN = { presence: 'hidden' } as const;

type Row = [name: string, overrides: SituationOverrides, step: string, platform?: PlatformRules | null];

export function testSteps(tables: Record<string, Row[]>): void {
  for (const [subject, rows] of Object.entries(tables)) {
    describe(subject, () => {
      for (const [name, overrides, expected, platform = withLookUp] of rows) {
        test(name, () => {
          const step = nextStep(buildSituation(overrides), platform, TIMEOUTS);
          assert.equal(describeStep(step), expected);
          if (step.kind === 'refuse') assert.match(step.reason, /\w/);
        });
      }
    });
  }
}

/** `rest nothing, write unchangeable: <reason>`, `reconcile settle 108500 repeat 0`, `refuse code unsettled`. */
function describeStep(step: Step): string {
  switch (step.kind) {
    case 'rest':
      return `rest ${step.outcome}${step.write ? `, write ${step.write}` : ''}${step.staysDue ? ', stays due' : ''}: ${step.reason}`;
    case 'reconcile':
      return `reconcile settle ${step.settleInMs}${step.repeatInMs === null ? '' : ` repeat ${step.repeatInMs}`}`;
    case 'wait':
      return `settle ${step.settleInMs}`;
    case 'create':
      return step.shouldLookUp ? 'create after a look' : 'create';
    case 'withdraw':
      return `withdraw${step.lateUpdateInMs > 0 ? `, again in ${step.lateUpdateInMs}` : ''}`;
    case 'conclude':
      return `resolve ${step.action} ${step.answer.kind}${step.lateUpdateInMs > 0 ? `, again in ${step.lateUpdateInMs}` : ''}`;
    case 'refuse':
      return `refuse ${step.code}${step.isUnsettled ? ' unsettled' : ''}`;
    default:
      return step.kind;
  }
}
