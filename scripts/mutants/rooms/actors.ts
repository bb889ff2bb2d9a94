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
        mistake: 'a look-up is sent to a blocked account',
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
        from: 'if (isReadOnly) return slotMs === null ? 0 :',
        to: 'if (isReadOnly) return slotMs !== null ? 0 :',
      },
      {
        mistake: 'a delivery reuses its slot for every call that fails before the attempt is marked',
        from: `if (outcome.kind === 'unavailable' && plan.budget.slotMs !== null) {`,
        to: `if (outcome.kind === 'unavailable' && plan.budget.slotMs === null) {`,
      },
      {
        mistake: 'the count of 429 responses is never reset',
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
        mistake: 'an action that was not planned is sent',
        from: `if (step.kind !== input.expected || !isAction(step)) return { kind: 'changed' };`,
        to: `if (!isAction(step)) return { kind: 'changed' };`,
        tests: ['test/activities/delivery/outdated-plan.test.ts'],
      },
      {
        mistake: 'a create is sent without a look-up',
        from: `if (step.kind === 'create' && step.lookFirst) {`,
        to: `if (step.kind === 'update') {`,
        tests: ['test/workflows/delivery/one-post.test.ts', 'test/workflows/delivery/duplicates.test.ts'],
      },
      {
        mistake: 'a manual edit is overwritten without a check',
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
        mistake: 'a signal between the last check and the end is lost',
        from: 'await condition(allHandlersFinished);\n    if (changed) continue;',
        to: 'await condition(allHandlersFinished);',
      },
      {
        mistake: 'a moved schedule fires at its former time',
        from: 'const wasChanged = await condition(() => changed,',
        to: 'const wasChanged = await condition(() => false,',
      },
      {
        mistake: 'a slow reminder delays a change of the schedule',
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
        mistake: 'a command waits until the pause after a failure ends',
        from: 'condition(() => signals.commanded, remainingMs)',
        to: 'condition(() => false, remainingMs)',
      },
      {
        mistake: 'a worker that crashes at every attempt is never detected',
        from: 'canCombine &&= !isLost;',
        to: '',
        tests: ['test/workflows/delivery/lost-attempts.test.ts'],
      },
    ],
  },
];
