/** Mutants of the article and delivery workflows and of the activities that send. */
import type { MutatedFile } from '../mutant.ts';

export const ACTORS: readonly MutatedFile[] = [
  {
    file: 'activities/delivery/slots.ts',
    tests: ['test/activities/delivery/slots.test.ts'],
    mutants: [
      {
        mistake: 'a 429 does not block the account at once',
        from: `if (outcome.kind === 'rateLimited') {`,
        to: `if (outcome.kind === 'rateLimited' && deps === undefined) {`,
      },
      {
        mistake: 'a look-up does not wait for a block',
        from: 'return blockedForMs;',
        to: 'return 0;',
      },
      {
        mistake: 'a withdrawal waits for a slot',
        from: `return step.kind === 'create' || step.kind === 'update';`,
        to: `return step.kind === 'create' || step.kind === 'update' || step.kind === 'withdraw';`,
      },
      {
        mistake: 'a command brings a slot forward',
        from: 'if (looks) return slotMs === null ? 0 :',
        to: 'if (looks) return slotMs !== null ? 0 :',
      },
      {
        mistake: 'a delivery whose calls fail before the mark uses one slot for all of them',
        from: `if (outcome.kind === 'unavailable' && plan.budget.slotMs !== null) {`,
        to: `if (outcome.kind === 'unavailable' && plan.budget.slotMs === null) {`,
      },
      {
        mistake: 'refusals are counted for ever',
        from: 'if (connection && plan.budget.refusals > 0',
        to: 'if (connection && plan.budget.refusals < 0',
      },
    ],
  },
  {
    file: 'activities/delivery/send.ts',
    tests: ['test/workflows/delivery/delivery.test.ts', 'test/workflows/commands/commands.test.ts'],
    mutants: [
      {
        mistake: 'something else is sent than what was planned',
        from: `if (step.kind !== input.expected || !isAction(step)) return { kind: 'changed' };`,
        to: `if (!isAction(step)) return { kind: 'changed' };`,
        tests: ['test/activities/delivery/outdated-plan.test.ts'],
      },
      {
        mistake: 'nothing is looked for before a create',
        from: `if (step.kind === 'create' && step.lookFirst) {`,
        to: `if (step.kind === 'update') {`,
        tests: ['test/workflows/delivery/one-post.test.ts', 'test/workflows/delivery/duplicates.test.ts'],
      },
      {
        mistake: 'an overwritten change by hand is not noticed',
        from: 'client.update(remoteId, payload, unchangedSince)',
        to: 'client.update(remoteId, payload, null)',
        tests: ['test/workflows/commands/commands-platforms.test.ts', 'test/workflows/commands/commands.test.ts'],
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
        from: 'condition(() => signals.commanded, remainingMs)',
        to: 'condition(() => false, remainingMs)',
      },
      {
        mistake: 'a worker that dies of every attempt is never noticed',
        from: 'canCombine &&= !isLost;',
        to: '',
        tests: ['test/workflows/delivery/lost-attempts.test.ts'],
      },
    ],
  },
];
