/** Mutants of the next step of a delivery and of the resolution of attempts. */
import type { MutatedFile } from '../mutant.ts';

export const DELIVERY: readonly MutatedFile[] = [
  {
    file: 'delivery/next-step.ts',
    tests: [
      'test/delivery/next-step.test.ts',
      'test/delivery/unknown-create.test.ts',
      'test/delivery/unknown-outcomes.test.ts',
    ],
    mutants: [
      {
        mistake: 'an open attempt is handled only after everything else',
        from: 'if (open) return open;',
        to: `if (open && article.status === 'PUBLISHED') return open;`,
      },
      {
        mistake: 'an imported article is delivered',
        from: 'if (article.imported && !delivery.withdrawRequested)',
        to: 'if (article.imported && delivery.withdrawRequested)',
      },
      {
        mistake: 'the copy of a scheduled article stays public until the scheduled time',
        from: `if (article.status !== 'PUBLISHED') {`,
        to: `if (article.status === 'DRAFT') {`,
      },
      {
        mistake: 'the withdrawal of one copy is dropped once the article is public',
        from: 'if (delivery.withdrawRequested) {',
        to: `if (delivery.withdrawRequested && article.status !== 'PUBLISHED') {`,
      },
      { mistake: 'an article that is not eligible is delivered', from: 'if (!article.eligible)', to: 'if (false)' },
      {
        mistake: 'an article is delivered to a destination that is not selected',
        from: 'if (!article.selected)',
        to: 'if (false)',
      },
      {
        mistake: 'an article that is already delivered is sent again',
        from: 'delivery.contentHash === article.hash &&',
        to: 'delivery.contentHash !== article.hash &&',
      },
      {
        mistake: 'a reported failure is retried at each signal',
        from: `if (isHandled(situation)) return rest('this publish was already answered');\n  if (!isConnected(situation)) return`,
        to: 'if (!isConnected(situation)) return',
      },
      {
        mistake: 'a rejected credential is used again',
        from: `if (situation.connection.status === 'unauthorised') return hold('the credential was refused');`,
        to: '',
      },
      {
        mistake: 'republishing creates a second post for a withdrawn one',
        from: `return act(delivery.remoteId === null ? 'create' : 'update', situation, platform, timeouts);`,
        to: `return act(delivery.hasLiveCopy ? 'update' : 'create', situation, platform, timeouts);`,
      },
      {
        mistake: 'an author must resolve an attempt that has a response',
        from: `if (answer && answer.kind !== 'unknown') return { ...resolve, answer };`,
        to: '',
      },
      {
        mistake: 'the read lag is ignored after an error of the platform',
        from: 'return limits.readLagMs - (answeredForMs ?? forMs);',
        to: 'return -(answeredForMs ?? forMs);',
      },
      {
        mistake: 'an empty look-up counts as proof before the attempt can have arrived',
        from: 'Math.max(timeouts.lateArrivalMs, limits.readLagMs) - forMs;',
        to: 'limits.readLagMs - forMs;',
      },
      {
        mistake: 'a request is repeated after the time in which the platform recognises it',
        from: 'forMs >= repeat.withinMs',
        to: 'forMs < 0',
      },
      {
        mistake: 'a request is repeated twice',
        from: 'if (repeat === null || !canRepeat ||',
        to: 'if (repeat === null ||',
      },
      {
        mistake: 'a withdrawal waits for an update without a response',
        from: `if (action === 'withdraw' && (`,
        to: `if (action === 'create' && (`,
      },
      {
        mistake: 'a publish of a suspended author is dropped when the suspension ends',
        from: `{ ...rest('the author is suspended'), staysDue: true }`,
        to: `rest('the author is suspended')`,
      },
      {
        mistake: 'a late update overtakes a newer one',
        from: 'if (settleInMs > 0) return { ...target, kind:',
        to: `if (settleInMs > 0 && action === 'create') return { ...target, kind:`,
      },
      {
        mistake: 'an update waits for itself',
        from: 'sent.action !== action || sent.hash !== article.hash',
        to: 'true',
      },
      {
        mistake: 'a ledger restored from a backup creates without a look-up',
        from: 'delivery.wasAttempted || delivery.wasRestored || article.ageMs',
        to: 'delivery.wasAttempted || article.ageMs',
      },
      {
        mistake: 'an old article is created without a look-up',
        from: 'article.ageMs > TIMEOUTS.freshMs',
        to: 'article.ageMs < 0',
      },
    ],
  },
  {
    file: 'delivery/resolve-attempt.ts',
    tests: ['test/delivery/resolve-attempt.test.ts', 'test/delivery/unknown-outcomes.test.ts'],
    mutants: [
      {
        mistake: 'the second look-up ignores the read lag',
        from: 'const afterMs = Math.max(step.settleInMs, step.readLagMs);',
        to: 'const afterMs = step.settleInMs;',
      },
      {
        mistake: 'a create of unknown outcome is retried without a look-up',
        from: `return step.kind === 'create'\n        ?`,
        to: `return step.kind !== 'create'\n        ?`,
      },
      {
        mistake: 'the withdrawal of a deleted post fails',
        from: `if (step.kind === 'withdraw' && outcome.code === 'remote_gone')`,
        to: `if (step.kind === 'update' && outcome.code === 'remote_gone')`,
        tests: ['test/delivery/refusals.test.ts', 'test/delivery/resolve-attempt.test.ts'],
      },
      {
        mistake: 'a rejection that may have saved a post counts as not saved',
        from: `return outcome.maybeSaved && step.kind === 'create' && step.canFind`,
        to: `return !outcome.maybeSaved && step.kind === 'create' && step.canFind`,
        tests: ['test/delivery/refusals.test.ts', 'test/delivery/resolve-attempt.test.ts'],
      },
      {
        mistake: 'a rejection for a recently used title is retried without limit',
        from: `retryOnceAfterMs !== undefined && !attempt.retry.titleWaited`,
        to: `retryOnceAfterMs !== undefined`,
        tests: ['test/delivery/refusals.test.ts', 'test/delivery/resolve-attempt.test.ts'],
      },
      {
        mistake: 'a rejected look-up counts as no post',
        from: `return finishFailed(attempt, { code: look.code, reason }, 'unknown');`,
        to: `return finishFailed(attempt, { code: look.code, reason }, 'failed');`,
      },
      {
        mistake: 'absence counts before the settle time has passed',
        from: `if (step.kind === 'reconcile' && step.settleInMs > 0) {`,
        to: `if (step.kind === 'reconcile' && step.settleInMs > 1e9) {`,
      },
      {
        mistake: 'the author must resolve a duplicate of the post of another article',
        from: '/^duplicate_of_/.test(outcome.code)',
        to: '/^duplicate_of_nobody/.test(outcome.code)',
      },
      {
        mistake: 'a rejected credential is probed repeatedly',
        from: 'if (attempt.retry.probed) return recordRefusedCredential(attempt, refused);',
        to: '',
        tests: ['test/delivery/refusals.test.ts', 'test/delivery/resolve-attempt.test.ts'],
      },
      {
        mistake: 'a decision from before a reconnection ends as held',
        from: `if (!isCurrent) return { attempt, effect: replan(0, 'something else is due') };`,
        to: '',
        tests: ['test/delivery/refusals.test.ts', 'test/delivery/resolve-attempt.test.ts'],
      },
    ],
  },
  {
    file: 'delivery/presence.ts',
    tests: ['test/delivery/presence.test.ts'],
    mutants: [
      {
        mistake: 'a create without a response counts as no post',
        from: `if (action === 'create') return before === 'live' ? before : 'uncertain';`,
        to: `if (action === 'create') return before;`,
      },
      {
        mistake: 'a withdrawn copy stays hidden while an update of it has no response',
        from: `return action === 'update' && before === 'hidden' ? 'uncertain' : before;`,
        to: 'return before;',
      },
      {
        mistake: 'a lost update does not change the state of its copy',
        from: `before === 'uncertain' && action === 'update' ? 'live' : before`,
        to: 'before',
      },
      {
        mistake: 'a rejection that may have saved a post counts as no post',
        from: `return answer.maybeSaved ? 'open' : 'nothing';`,
        to: `return 'nothing';`,
      },
      {
        mistake: 'a copy deleted at the destination counts as withdrawn',
        from: `return action === 'withdraw' ? 'deleted' : 'absent';`,
        to: `return action === 'withdraw' ? 'deleted' : 'hidden';`,
      },
    ],
  },
  {
    file: 'delivery/endings.ts',
    tests: ['test/delivery/waits.test.ts', 'test/delivery/resolve-attempt.test.ts', 'test/delivery/refusals.test.ts'],
    mutants: [
      {
        mistake: 'an edit that arrives while the last revision is sent is lost',
        from: `isCurrent ? buildEnd('delivered', 'delivered to the destination') : replan(0, 'delivered')`,
        to: `buildEnd('delivered', 'delivered to the destination')`,
        tests: ['test/delivery/resolve-attempt.test.ts'],
      },
      {
        mistake: 'the Retry-After of a destination is ignored',
        from: 'Math.max(atLeastMs, computePause(retry.failures))',
        to: 'computePause(retry.failures)',
      },
      {
        mistake: 'the Retry-After of a destination has no limit',
        from: 'return Math.min(Math.max(atLeastMs, computePause(retry.failures)), TIMEOUTS.maxRetryAfterMs);',
        to: 'return Math.max(atLeastMs, computePause(retry.failures));',
      },
      {
        mistake: 'a create that may have happened ends as failed',
        from: `if (isRetryPeriodOver(retry, now)) return giveUp(counted, reason, stillInFlight ? 'unknown' : 'failed');\n  const afterMs`,
        to: `if (isRetryPeriodOver(retry, now)) return giveUp(counted, reason, 'failed');\n  const afterMs`,
        tests: ['test/delivery/unknown-outcomes.test.ts', 'test/delivery/waits.test.ts'],
      },
      {
        mistake: 'a delivery gives up after one day-long block',
        from: 'isRetryPeriodOver(retry, now) && retry.failures > MIN_TRIES',
        to: 'isRetryPeriodOver(retry, now)',
      },
      {
        mistake: 'a completed delivery does not reset its failures',
        from: 'const done = { ...attempt, retry: NO_FAILURES };',
        to: 'const done = attempt;',
        tests: ['test/delivery/retry-state.test.ts'],
      },
    ],
  },
  {
    file: 'delivery/retry-state.ts',
    tests: ['test/delivery/retry-state.test.ts', 'test/delivery/waits.test.ts'],
    mutants: [
      { mistake: 'pauses do not grow', from: 'FACTOR ** (failures - 1)', to: 'FACTOR' },
      { mistake: 'each failure restarts the retry period', from: 'since: retry.since ?? now', to: 'since: now' },
      {
        mistake: 'a new publish inherits the failures of the last one',
        from: 'const base = retry.dispatch === dispatch ? retry',
        to: 'const base = retry.dispatch <= dispatch ? retry',
      },
      {
        mistake: 'a new credential is not probed',
        from: 'base.connectionVersion === connectionVersion && base.probed',
        to: 'base.probed',
      },
      {
        mistake: 'a long outage of the database counts as a day of failures',
        from: 'failures >= MIN_FAILURES && isRetryPeriodOver',
        to: 'isRetryPeriodOver',
      },
    ],
  },
  {
    file: 'delivery/timeouts.ts',
    tests: ['test/delivery/timeouts.test.ts'],
    mutants: [
      {
        mistake: 'an attempt is sent although its mark is outdated',
        from: 'staleMarkMs: 3_000',
        to: 'staleMarkMs: 300_000',
      },
      {
        mistake: 'a stopping worker interrupts its requests',
        from: 'shutdownGraceMs: 20_000',
        to: 'shutdownGraceMs: 2_000',
      },
      { mistake: 'a query times out before its statement', from: 'queryMs: 14_000', to: 'queryMs: 4_000' },
      {
        mistake: 'the timeout of a call is shorter than the sum of its parts',
        from: 'callMs: 100_000',
        to: 'callMs: 10_000',
      },
    ],
  },
];
