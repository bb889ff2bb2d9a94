/** Mutants of per-key queues, rate budgets and the outbox. */
import type { MutatedFile } from '../mutant.ts';

export const LINES: readonly MutatedFile[] = [
  {
    file: 'store/connections/rate-budget.ts',
    tests: ['test/store/connections/rate-budget.test.ts', 'test/store/connections/choose-slot.test.ts'],
    mutants: [
      {
        mistake: 'a burst is sent after a block',
        from: 'isBlocked ? blockedMs + toleranceMs : 0',
        to: 'isBlocked ? blockedMs : 0',
      },
      {
        mistake: 'a delivery that repeats its request reserves a second slot',
        from: 'if (reservedMs !== null) return reservedMs - nowMs;',
        to: '',
      },
      {
        mistake: 'a reservation is based on outdated data',
        from: "and arrival_at < ${atMs(seenMs)} + interval '0.5 ms'",
        to: '',
      },
      {
        mistake: 'missed slots are all used at once',
        from: 'slotMs < nowMs - MAX_LATE_MS ? nowMs : null',
        to: 'null',
      },
      {
        mistake: 'all deliveries waiting for a block are sent when it ends',
        from: '(row_number() over (order by slot_at, id) - 1)',
        to: '0',
      },
      {
        mistake: 'new deliveries overtake deliveries delayed by a block',
        from: '(select max(slot_at) from line) +',
        to: '(select min(slot_at) from line) +',
      },
      {
        mistake: 'a shorter block replaces a longer one',
        from: 'set blocked_until = greatest(blocked_until, ${until})',
        to: 'set blocked_until = ${until}',
      },
      {
        mistake: 'each of several simultaneous 429 responses extends the block',
        from: 'if (blockedMs > nowMs && laterMs <= SAME_BLOCK_MS) return blockedMs;',
        to: '',
      },
      {
        mistake: 'each of several simultaneous 429 responses is counted',
        from: 'nowMs - calledForMs >= blockedMs',
        to: 'nowMs >= 0',
      },
      {
        mistake: 'there is no backoff after a 429 without Retry-After',
        from: 'forMs >= MIN_RETRY_AFTER_MS || refusals === 0 || !isNew ? forMs',
        to: 'forMs >= 0 ? forMs',
      },
      {
        mistake: 'a late 429 blocks the account connected since',
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
        mistake: 'deliveries of one account are sent to another',
        from: '(isReconnection ? releaseDeliveries : clearDeliveries)',
        to: '(isReconnection ? releaseDeliveries : releaseDeliveries)',
      },
      {
        mistake: 'a plan for one account is sent to another',
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
        mistake: 'two dispatchers can lease the same entry',
        from: 'where leased_until is null or leased_until < now()',
        to: 'where true',
      },
      {
        mistake: 'dispatchers block each other',
        from: 'limit ${options.limit} for update skip locked',
        to: 'limit ${options.limit} for update',
      },
      {
        mistake: 'a scheduled article loses its workflow',
        from: 'case when not leased.wakes_article then',
        to: 'case when true then',
      },
      {
        mistake: 'entries of a background search precede entries of user actions',
        from: 'order by may_wait, id',
        to: 'order by may_wait desc, id',
      },
      {
        mistake: 'there is no backoff for an entry that always fails',
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
        mistake: 'a cancelled schedule does not stop its timer',
        from: `status === 'SCHEDULED' || statusBefore === 'SCHEDULED'`,
        to: `status === 'SCHEDULED'`,
      },
      { mistake: 'a copy is not updated', from: 'hasDeliveries || (', to: '(' },
    ],
  },
];
