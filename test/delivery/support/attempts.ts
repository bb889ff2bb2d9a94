/** Steps and answers for the tables of `resolveAttempt`, and the runner of one table. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AttemptStep, Effect } from '../../../delivery/types.ts';
import type { Failure, RejectionCode } from '../../../destinations/types.ts';
import { type Answer, NOW, playAttempt, type StoryOptions } from './story.ts';

/** The fields shared by all steps. */
export const TARGET = {
  deliveryId: 'd',
  attemptId: 'a3',
  version: 3,
  dispatch: 1,
  connectionId: 'c',
  connectionVersion: 0,
  readLagMs: 1_000,
  canFind: true,
} as const;

export const create: AttemptStep = { ...TARGET, kind: 'create', shouldLookUp: false };
export const update: AttemptStep = { ...TARGET, kind: 'update' };
export const withdraw: AttemptStep = { ...TARGET, kind: 'withdraw', lateUpdateInMs: 0 };
export const early = { ...TARGET, kind: 'reconcile', settleInMs: 18_000, repeatInMs: null } as const;
export const late: AttemptStep = { ...early, settleInMs: 0 };
export const noLookUp = { ...early, canFind: false };
export const repeatable = { ...noLookUp, repeatInMs: 0 } satisfies AttemptStep;

export const SENT = { attemptId: 'a4', version: 4, dispatch: 1 };
export const POST = { remoteId: 'r', url: 'https://there.example/r', changedAt: null };
export const created = { kind: 'done', remote: POST, ...SENT } as const;
export const withdrawn = { kind: 'done', remote: null, ...SENT } as const;
export const found = { kind: 'done', value: POST } as const;
export const absent = { kind: 'done', value: null } as const;
export const changed = { kind: 'changed' } as const;
export const lost = { kind: 'lost', reason: 'lost' } as const;
export const unknownAnswer = { kind: 'unknown', reason: 'it was cut', ...SENT } as const;
export const unavailable = { kind: 'unavailable', reason: 'unavailable', ...SENT } as const;
export const unauthorised = { kind: 'unauthorised', reason: 'bad key', ...SENT } as const;
export const rateLimited = (retryAfterMs: number | null) =>
  ({ kind: 'rateLimited', retryAfterMs, reason: '429', ...SENT }) as const;
export const refused = (code: RejectionCode, mayBeSaved = false): Failure => ({
  kind: 'rejected',
  code,
  reason: code,
  mayBeSaved,
});
export const titleUsed: Failure = { ...refused('title_recently_used', true), retryOnceAfterMs: 305_000 } as Failure;
export const drifted = { kind: 'drifted', changedAt: 't', reason: 'changed by hand', ...SENT } as const;

export const A_DAY = 86_400_000;
export const AFTER_A_DAY = { retry: { since: NOW - A_DAY - 1, failures: 90 } };
export const AFTER_TWO_FAILURES = { retry: { since: NOW - 10_000, failures: 2 } };

export type Row = [what: string, step: AttemptStep, answers: Answer[], story: string, options?: StoryOptions];

export function testTables(tables: Record<string, Row[]>): void {
  for (const [subject, rows] of Object.entries(tables)) {
    describe(subject, () => {
      for (const [what, step, answers, story, options] of rows) {
        test(what, () => {
          const played = playAttempt(step, answers, options);
          assert.equal(played.story, story);
          for (const effect of played.effects) assertHasReason(effect);
        });
      }
    });
  }
}

/** Authors and operators need a reason with each of these effects. */
export function assertHasReason(effect: Effect): void {
  if (effect.kind === 'replan' || effect.kind === 'end') assert.match(effect.reason, /\w/);
  if (effect.kind === 'record' && 'reason' in effect.record) assert.match(effect.record.reason, /\w/);
}
