/** Mutants of per-key queues, rate budgets and the outbox. */
import type { MutatedFile } from '../mutant.ts';

export const LINES: readonly MutatedFile[] = [
  {
    file: 'store/connections/rate-budget.ts',
    tests: ['test/store/connections/rate-budget.test.ts', 'test/store/connections/choose-slot.test.ts'],
    mutants: [
      {
        mistake: 'behind a block a burst goes out',
        from: 'isBlocked ? blockedMs + toleranceMs : 0',
        to: 'isBlocked ? blockedMs : 0',
      },
      {
        mistake: 'a delivery that asks again takes a second slot',
        from: 'if (reservedMs !== null) return reservedMs - nowMs;',
        to: '',
      },
      {
        mistake: 'what was read before others wrote is acted on',
        from: "and arrival_at < ${atMs(seenMs)} + interval '0.5 ms'",
        to: '',
      },
      {
        mistake: 'slots that were missed are used all at once',
        from: 'slotMs < nowMs - MAX_LATE_MS ? nowMs : null',
        to: 'null',
      },
      {
        mistake: 'those that wait behind a block all go at its end',
        from: '(row_number() over (order by slot_at, id) - 1)',
        to: '0',
      },
      {
        mistake: 'new deliveries overtake those that a block has moved',
        from: '(select max(slot_at) from line) +',
        to: '(select min(slot_at) from line) +',
      },
      {
        mistake: 'a shorter block shortens a longer one',
        from: 'set blocked_until = greatest(blocked_until, ${until})',
        to: 'set blocked_until = ${until}',
      },
      {
        mistake: 'each of those refused at once lengthens the block',
        from: 'if (blockedMs > nowMs && laterMs <= SAME_BLOCK_MS) return blockedMs;',
        to: '',
      },
      {
        mistake: 'each of those refused at once counts as a refusal of its own',
        from: 'nowMs - calledForMs >= blockedMs',
        to: 'nowMs >= 0',
      },
      {
        mistake: 'a destination that names no time is asked as often as ever',
        from: 'forMs >= MIN_RETRY_AFTER_MS || refusals === 0 || !isNew ? forMs',
        to: 'forMs >= 0 ? forMs',
      },
      {
        mistake: 'a late 429 blocks the account that is connected by then',
        from: 'and account_id = ${accountId}',
        to: 'and ${accountId} is not null',
      },
    ],
  },
  {
    file: 'store/connections/connect.ts',
    tests: ['test/workflows/accounts/accounts.test.ts', 'test/api/connections/reconnections.test.ts'],
    mutants: [
      {
        mistake: 'what one account had is sent to another',
        from: '(isReturn ? releaseDeliveries : passOverDeliveries)',
        to: '(isReturn ? releaseDeliveries : releaseDeliveries)',
      },
      {
        mistake: 'what was planned for one account is sent to another',
        from: `version: eb('connections.version', '+', 1)`,
        to: `version: eb('connections.version', '+', 0)`,
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
    file: 'store/outbox/choose-workflows.ts',
    tests: ['test/store/outbox/choose-actors.test.ts'],
    mutants: [
      {
        mistake: 'a schedule that is taken back keeps its timer',
        from: `status === 'SCHEDULED' || statusBefore === 'SCHEDULED'`,
        to: `status === 'SCHEDULED'`,
      },
      { mistake: 'a copy is not updated', from: 'hasDeliveries || (', to: '(' },
    ],
  },
];
