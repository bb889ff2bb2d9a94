/** Tests the waits that a destination requires, and their limits, one table row per case. */
import { absent, create, early, rateLimited, refused, testTables, unavailable, update } from './support/attempts.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const waits = (retryAfterMs: number | null) => ({ ...unavailable, retryAfterMs });
const dayLong = { ...rateLimited(DAY_MS), isBlocked: true } as const;
const SINCE_YESTERDAY = 1_000_000_000 - DAY_MS - 1;
const blocked = { ...waits(300_000), maxAttempts: 3 } as const;

testTables({
  'an unavailable destination with Retry-After': [
    [
      'is not retried before it (F12)',
      update,
      [waits(120_000)],
      'send update → record retry (unavailable) → replan 120 s',
    ],
    [
      'is retried after an hour if it requires that',
      create,
      [waits(HOUR_MS)],
      'send create → record retry (unavailable) → replan 3600 s',
    ],
    [
      'is retried within a day even if it requires more',
      update,
      [waits(5 * DAY_MS)],
      'send update → record retry (unavailable) → replan 86400 s',
    ],
    [
      'is not retried before the back-off',
      update,
      [waits(1_000)],
      'send update → record retry (unavailable) → replan 18 s',
      { retry: { failures: 2, since: 1_000_000_000 - 10_000 } },
    ],
    [
      'without a value is retried after the back-off',
      update,
      [waits(null)],
      'send update → record retry (unavailable) → replan 2 s',
    ],
    ['delays a look-up', early, [waits(120_000)], 'lookUp → record retry (outcome_unknown, in flight) → replan 120 s'],
    [
      'delays the look-up after a rejection',
      create,
      [refused('invalid', true), waits(120_000)],
      'send create → pause 1 s → lookUp → replan 120 s',
    ],
  ],
  'an account that is blocked for a day at a time': [
    [
      'is retried after the first day, because a day is one attempt',
      create,
      [dayLong],
      'send create → record retry (rate_limited) → replan 86400 s',
      { retry: { failures: 1, since: SINCE_YESTERDAY } },
    ],
    [
      'is given up after the second day',
      create,
      [dayLong],
      'send create → record failed (gave_up) → end failed',
      { retry: { failures: 2, since: SINCE_YESTERDAY } },
    ],
    [
      'is retried after many short blocks within a day',
      create,
      [{ ...dayLong, retryAfterMs: 60_000 }],
      'send create → record retry (rate_limited) → replan 60 s',
      { retry: { failures: 9, since: 1_000_000_000 - DAY_MS } },
    ],
    [
      'is given up as unknown after the second day while a create is in flight',
      early,
      [dayLong],
      'lookUp → record unknown (gave_up) → end unknown',
      { retry: { failures: 2, since: SINCE_YESTERDAY } },
    ],
  ],
  'a destination that blocks this server': [
    ['is retried', create, [blocked], 'send create → record retry (unavailable) → replan 300 s'],
    [
      'fails after a few attempts',
      create,
      [blocked],
      'send create → record failed (blocked) → end failed',
      { retry: { failures: 2, since: 1_000_000_000 - 600_000 } },
    ],
    [
      'ends a create in flight as unknown',
      early,
      [blocked],
      'lookUp → record unknown (blocked) → end unknown',
      { retry: { failures: 2, since: 1_000_000_000 - 600_000 } },
    ],
    ['does not change the effect of a look-up without a result', early, [absent], 'lookUp → replan 18 s'],
  ],
});
