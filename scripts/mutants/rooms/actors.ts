/** The actors of articles and deliveries, and the activities that send. */
import type { MutatedFile } from '../mutant.ts';

export const ACTORS: readonly MutatedFile[] = [
  {
    file: 'activities/delivery/slots.ts',
    tests: ['test/store/connections/account-pause.test.ts'],
    mutants: [
      {
        mistake: 'a 429 does not block the account at once',
        from: `if (outcome.kind !== 'rateLimited' || !adapter) return outcome;`,
        to: 'if (adapter !== undefined) return outcome;',
      },
      {
        mistake: 'a 429 loses the delivery its place in the line',
        from: `end = 'waits';\n    return { ...outcome, retryAfterMs: slotInMs, isBlocked: true };`,
        to: 'return { ...outcome, retryAfterMs: slotInMs, isBlocked: true };',
      },
      {
        mistake: 'a look-up counts against the budget of writes',
        from: `const isWrite = step.kind !== 'reconcile';`,
        to: 'const isWrite = true;',
      },
    ],
  },
  {
    file: 'activities/delivery/send.ts',
    tests: ['test/workflows/delivery.test.ts', 'test/workflows/commands.test.ts'],
    mutants: [
      {
        mistake: 'something else is sent than what was planned',
        from: `if (step.kind !== input.expected || !isAction(step)) return { kind: 'changed' };`,
        to: `if (!isAction(step)) return { kind: 'changed' };`,
        tests: ['test/activities/delivery/planned-otherwise.test.ts'],
      },
      {
        mistake: 'nothing is looked for before a create',
        from: `if (step.kind === 'create' && step.lookFirst) {`,
        to: `if (step.kind === 'update') {`,
        tests: ['test/workflows/one-post.test.ts', 'test/workflows/duplicates.test.ts'],
      },
      {
        mistake: 'an overwritten change by hand is not noticed',
        from: 'client.update(remoteId, payload, unchangedSince)',
        to: 'client.update(remoteId, payload, null)',
        tests: ['test/workflows/commands-platforms.test.ts', 'test/workflows/commands.test.ts'],
      },
    ],
  },
  {
    file: 'workflows/article.ts',
    tests: ['test/workflows/histories.test.ts'],
    mutants: [
      {
        mistake: 'a signal between the last look and the end is lost',
        from: 'await condition(allHandlersFinished);\n    if (changed) continue;',
        to: 'await condition(allHandlersFinished);',
      },
      {
        mistake: 'a schedule that was moved fires at its former time',
        from: 'const wasChanged = await condition(() => changed,',
        to: 'const wasChanged = await condition(() => false,',
      },
      {
        mistake: 'a slow reminder holds up a change of the schedule',
        from: 'await Promise.race([reminding, condition(() => changed)]);\n      scope.cancel();',
        to: '',
      },
    ],
  },
  {
    file: 'workflows/delivery.ts',
    tests: ['test/workflows/histories.test.ts'],
    mutants: [
      {
        mistake: 'a signal between the last plan and the end is lost',
        from: 'if (!signals.woken) return finish(',
        to: 'return finish(',
      },
      {
        mistake: 'a command waits for the pause after a failure',
        from: 'signals.commanded || isSlotMoved(), leftMs',
        to: 'isSlotMoved(), leftMs',
      },
      {
        mistake: 'a worker that dies of every attempt is never noticed',
        from: 'isAtOnce &&= !isLost;',
        to: '',
        tests: ['test/workflows/lost-attempts.test.ts'],
      },
    ],
  },
];
