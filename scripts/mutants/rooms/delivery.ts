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
        mistake: 'an open attempt is looked at only after everything else',
        from: 'if (open) return open;',
        to: `if (open && article.status === 'PUBLISHED') return open;`,
      },
      {
        mistake: 'an imported article is delivered',
        from: 'if (article.imported && !delivery.withdrawRequested)',
        to: 'if (article.imported && delivery.withdrawRequested)',
      },
      {
        mistake: 'a scheduled article’s copy stays public until its hour',
        from: `if (article.status !== 'PUBLISHED') {`,
        to: `if (article.status === 'DRAFT') {`,
      },
      {
        mistake: 'the withdrawal of one copy is forgotten once the article is public',
        from: 'if (delivery.withdrawRequested) {',
        to: `if (delivery.withdrawRequested && article.status !== 'PUBLISHED') {`,
      },
      { mistake: 'what is not eligible is delivered', from: 'if (!article.eligible)', to: 'if (false)' },
      { mistake: 'what nobody asked for is delivered', from: 'if (!article.selected)', to: 'if (false)' },
      {
        mistake: 'an article that is already delivered is sent again',
        from: 'delivery.contentHash === article.hash &&',
        to: 'delivery.contentHash !== article.hash &&',
      },
      {
        mistake: 'a failure that its author was told of is tried again at each signal',
        from: `if (isHandled(situation)) return rest('this publish was already answered');\n  if (!isConnected(situation)) return`,
        to: 'if (!isConnected(situation)) return',
      },
      {
        mistake: 'a refused credential is used all the same',
        from: `if (situation.connection.status === 'unauthorised') return hold('the credential was refused');`,
        to: '',
      },
      {
        mistake: 'a withdrawn post that is published again is made a second time',
        from: `return act(delivery.remoteId === null ? 'create' : 'update', situation, platform, timeouts);`,
        to: `return act(delivery.hasLiveCopy ? 'update' : 'create', situation, platform, timeouts);`,
      },
      {
        mistake: 'an author is asked for an answer that has come',
        from: `if (answer && answer.kind !== 'unknown') return { ...resolve, answer };`,
        to: '',
      },
      {
        mistake: 'after the platform’s own error its read lag is not waited for',
        from: 'return limits.readLagMs - (answeredForMs ?? forMs);',
        to: 'return -(answeredForMs ?? forMs);',
      },
      {
        mistake: 'a look-up that finds nothing is proof before the attempt can have arrived',
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
        mistake: 'a withdrawal waits for an update that nobody answered',
        from: `if (action === 'withdraw' && (`,
        to: `if (action === 'create' && (`,
      },
      {
        mistake: 'what a suspended author publishes is forgotten once its author is back',
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
        mistake: 'a ledger from a backup creates without a look',
        from: 'delivery.wasAttempted || delivery.wasRestored || article.ageMs',
        to: 'delivery.wasAttempted || article.ageMs',
      },
      {
        mistake: 'an old article is created without a look',
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
        mistake: 'the second look ignores the read lag',
        from: 'const afterMs = Math.max(step.settleInMs, step.readLagMs);',
        to: 'const afterMs = step.settleInMs;',
      },
      {
        mistake: 'a create of unknown outcome is retried without a look',
        from: `return step.kind === 'create'\n        ?`,
        to: `return step.kind !== 'create'\n        ?`,
      },
      {
        mistake: 'a withdrawal of a post that is gone fails',
        from: `if (step.kind === 'withdraw' && outcome.code === 'remote_gone')`,
        to: `if (step.kind === 'update' && outcome.code === 'remote_gone')`,
        tests: ['test/delivery/refusals.test.ts', 'test/delivery/resolve-attempt.test.ts'],
      },
      {
        mistake: 'a refusal behind which a post may have been saved is believed',
        from: `return outcome.maybeSaved && step.kind === 'create' && step.canFind`,
        to: `return !outcome.maybeSaved && step.kind === 'create' && step.canFind`,
        tests: ['test/delivery/refusals.test.ts', 'test/delivery/resolve-attempt.test.ts'],
      },
      {
        mistake: 'a title that was used lately is waited out without end',
        from: `retryOnceAfterMs !== undefined && !attempt.retry.titleWaited`,
        to: `retryOnceAfterMs !== undefined`,
        tests: ['test/delivery/refusals.test.ts', 'test/delivery/resolve-attempt.test.ts'],
      },
      {
        mistake: 'a refused look-up is taken for a post that was not made',
        from: `return finishFailed(attempt, { code: look.code, reason }, 'unknown');`,
        to: `return finishFailed(attempt, { code: look.code, reason }, 'failed');`,
      },
      {
        mistake: 'absence is believed before the settle time is over',
        from: `if (step.kind === 'reconcile' && step.settleInMs > 0) {`,
        to: `if (step.kind === 'reconcile' && step.settleInMs > 1e9) {`,
      },
      {
        mistake: 'a duplicate of another article’s post is left to the author to settle',
        from: '/^duplicate_of_/.test(outcome.code)',
        to: '/^duplicate_of_nobody/.test(outcome.code)',
      },
      {
        mistake: 'a refused credential is probed again and again',
        from: 'if (attempt.retry.probed) return recordRefusedCredential(attempt, refused);',
        to: '',
        tests: ['test/delivery/refusals.test.ts', 'test/delivery/resolve-attempt.test.ts'],
      },
      {
        mistake: 'what was decided before a reconnection ends as held',
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
        mistake: 'a create without an answer made nothing',
        from: `if (action === 'create') return before === 'live' ? before : 'uncertain';`,
        to: `if (action === 'create') return before;`,
      },
      {
        mistake: 'a withdrawn copy stays hidden while an update of it has no answer',
        from: `return action === 'update' && before === 'hidden' ? 'uncertain' : before;`,
        to: 'return before;',
      },
      {
        mistake: 'an update that was lost leaves its copy as it is',
        from: `before === 'uncertain' && action === 'update' ? 'live' : before`,
        to: 'before',
      },
      {
        mistake: 'a refusal behind which a post may have been saved made nothing',
        from: `return answer.maybeSaved ? 'open' : 'nothing';`,
        to: `return 'nothing';`,
      },
      {
        mistake: 'a copy that was deleted at the destination is a withdrawn one',
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
        mistake: 'an edit that came while the last revision was sent is not sent',
        from: `isCurrent ? end('delivered', 'delivered to the destination') : replan(0, 'delivered')`,
        to: `end('delivered', 'delivered to the destination')`,
        tests: ['test/delivery/resolve-attempt.test.ts'],
      },
      {
        mistake: 'what a destination asks to wait is not heeded',
        from: 'Math.max(atLeastMs, computePause(retry.failures))',
        to: 'computePause(retry.failures)',
      },
      {
        mistake: 'a wait that a destination asks for has no bound',
        from: 'return Math.min(Math.max(atLeastMs, computePause(retry.failures)), TIMEOUTS.maxRetryAfterMs);',
        to: 'return Math.max(atLeastMs, computePause(retry.failures));',
      },
      {
        mistake: 'a create that may have happened is given up as failed',
        from: `if (isOutOfPatience(retry, now)) return giveUp(counted, reason, stillInFlight ? 'unknown' : 'failed');\n  const afterMs`,
        to: `if (isOutOfPatience(retry, now)) return giveUp(counted, reason, 'failed');\n  const afterMs`,
        tests: ['test/delivery/unknown-outcomes.test.ts', 'test/delivery/waits.test.ts'],
      },
      {
        mistake: 'a delivery gives up after one day-long block',
        from: 'isOutOfPatience(retry, now) && retry.failures > MIN_TRIES',
        to: 'isOutOfPatience(retry, now)',
      },
      {
        mistake: 'a delivery that is done keeps its failures',
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
      { mistake: 'patience begins anew with each failure', from: 'since: retry.since ?? now', to: 'since: now' },
      {
        mistake: 'a new publish inherits the failures of the last one',
        from: 'const base = retry.dispatch === dispatch ? retry',
        to: 'const base = retry.dispatch <= dispatch ? retry',
      },
      {
        mistake: 'a new credential gets no probe of its own',
        from: 'base.connectionVersion === connectionVersion && base.probed',
        to: 'base.probed',
      },
      {
        mistake: 'a long absence of the database counts as a day of failures',
        from: 'failures >= MIN_FAILURES && isOutOfPatience',
        to: 'isOutOfPatience',
      },
    ],
  },
  {
    file: 'delivery/timeouts.ts',
    tests: ['test/delivery/timeouts.test.ts'],
    mutants: [
      { mistake: 'a stale mark is sent all the same', from: 'staleMarkMs: 3_000', to: 'staleMarkMs: 300_000' },
      {
        mistake: 'a worker that stops cuts what it sends',
        from: 'shutdownGraceMs: 20_000',
        to: 'shutdownGraceMs: 2_000',
      },
      { mistake: 'a query is given up before its statement', from: 'queryMs: 14_000', to: 'queryMs: 4_000' },
      { mistake: 'a call takes less than what it is made of', from: 'callMs: 100_000', to: 'callMs: 10_000' },
    ],
  },
];
