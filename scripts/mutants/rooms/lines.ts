/** The lines of the accounts, their budgets, and the outbox. */
import type { MutatedFile } from '../mutant.ts';

export const LINES: readonly MutatedFile[] = [
  {
    file: 'store/connections/rate-slots.ts',
    tests: ['test/store/connections/rate-slots.test.ts', 'test/store/connections/line-rules.test.ts'],
    mutants: [
      {
        mistake: 'behind a block a burst goes out',
        from: 'isBlocked(account) ? blockedMs + toleranceMs : 0',
        to: 'isBlocked(account) ? blockedMs : 0',
        tests: ['test/store/connections/account-pause.test.ts'],
      },
      {
        mistake: 'a delivery that asks again takes a second slot',
        from: 'const slot = own ? { slotMs: own.slotMs, arrivalMs: null } : chooseSlot(account, request);',
        to: 'const slot = chooseSlot(account, request);',
      },
      {
        mistake: 'more call one account at once than it has places',
        from: 'if (calls >= PLACES)',
        to: 'if (calls > PLACES)',
      },
      {
        mistake: 'a shorter block shortens a longer one',
        from: 'set blocked_until = greatest(blocked_until, ${until})',
        to: 'set blocked_until = ${until}',
      },
    ],
  },
  {
    file: 'store/connections/refused-slot.ts',
    tests: ['test/store/connections/account-pause.test.ts', 'test/store/connections/line-rules.test.ts'],
    mutants: [
      {
        mistake: 'each of those refused at once lengthens the block',
        from: 'if (blockedMs > nowMs && laterMs <= SAME_BLOCK_MS) return blockedMs;',
        to: '',
      },
      {
        mistake: 'each of those refused at once counts as a refusal of its own',
        from: 'nowMs - calledForMs >= blockedMs',
        to: 'nowMs >= 0',
        tests: ['test/store/connections/line-rules.test.ts'],
      },
      {
        mistake: 'a destination that names no time is asked as often as ever',
        from: 'forMs >= NO_TIME_MS || refusals === 0 || !isNew ? forMs',
        to: 'forMs >= 0 ? forMs',
      },
    ],
  },
  {
    file: 'store/connections/release-slot.ts',
    tests: ['test/store/connections/line-rules.test.ts', 'test/store/connections/rate-slots.test.ts'],
    mutants: [
      {
        mistake: 'refusals are counted for ever',
        from: `end === 'answered' && account.refusals > 0`,
        to: `end === 'waits' && account.refusals > 0`,
        tests: ['test/store/connections/account-pause.test.ts', 'test/store/connections/line-rules.test.ts'],
      },
      {
        mistake: 'of two that end one call neither tells the next',
        from: '|| found[0]?.connectionId !== connectionId',
        to: '',
        tests: ['test/store/connections/slot-races.test.ts'],
      },
    ],
  },
  {
    file: 'store/connections/next-in-line.ts',
    tests: ['test/store/connections/line-rules.test.ts', 'test/store/connections/rate-slots.test.ts'],
    mutants: [
      {
        mistake: 'a free place is given to two',
        from: 'if (isDue ? places-- <= 0 : index >= FRONT) continue;',
        to: 'if (isDue ? places <= 0 : index >= FRONT) continue;',
      },
    ],
  },
  {
    file: 'store/connections/move-deliveries.ts',
    tests: ['test/store/connections/move-deliveries.test.ts'],
    mutants: [
      {
        mistake: 'the posts of the former account are forgotten',
        from: 'await keepPosts(tx, ids);',
        to: '',
      },
      {
        mistake: 'what was planned for one account is sent to another',
        from: `.where('deliveries.accountId', 'is', null)\n    .execute();`,
        to: `.where('deliveries.accountId', 'is not', null)\n    .execute();`,
        tests: ['test/store/deliveries/late-records.test.ts'],
      },
    ],
  },
  {
    file: 'store/outbox/lease.ts',
    tests: ['test/store/outbox/lease.test.ts'],
    mutants: [
      {
        mistake: 'an entry is leased by two dispatchers',
        from: 'where leased_until is null or leased_until < now()',
        to: 'where true',
      },
      {
        mistake: 'dispatchers wait for one another',
        from: 'limit ${options.limit} for update skip locked',
        to: 'limit ${options.limit} for update',
      },
      {
        mistake: 'an article with an hour to wait for loses its actor',
        from: 'case when not leased.wakes_article then',
        to: 'case when true then',
      },
      {
        mistake: 'what a search has found goes before what somebody has done',
        from: 'order by may_wait, id',
        to: 'order by may_wait desc, id',
      },
      {
        mistake: 'an entry that always fails is tried as often as ever',
        from: `power(2, least(attempts, 10) - 1)`,
        to: 'power(2, 0)',
      },
    ],
  },
  {
    file: 'store/outbox/choose-actors.ts',
    tests: ['test/store/outbox/choose-actors.test.ts'],
    mutants: [
      {
        mistake: 'a schedule that is taken back keeps its timer',
        from: `status === 'SCHEDULED' || statusBefore === 'SCHEDULED'`,
        to: `status === 'SCHEDULED'`,
      },
      { mistake: 'a copy is not updated', from: `if (hasDeliveries) return 'deliveries';`, to: '' },
    ],
  },
];
