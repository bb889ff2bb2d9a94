/** What a destination asks to wait, and when waiting is of no use. A row per case. */
import { absent, create, early, rateLimited, refused, testTables, unavailable, update } from './support/attempts.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const waits = (retryAfterMs: number | null) => ({ ...unavailable, retryAfterMs });
const dayLong = { ...rateLimited(DAY_MS), isBlocked: true } as const;
const SINCE_YESTERDAY = 1_000_000_000 - DAY_MS - 1;
const blocked = { ...waits(300_000), mostTries: 3 } as const;

testTables({
  'an unavailable destination that names a time': [
    [
      'is not asked again before it (F12)',
      update,
      [waits(120_000)],
      'send update → record retry (unavailable) → replan 120 s',
    ],
    [
      'is asked an hour later, where that is what it says',
      create,
      [waits(HOUR_MS)],
      'send create → record retry (unavailable) → replan 3600 s',
    ],
    [
      'is asked within a day, whatever it says',
      update,
      [waits(5 * DAY_MS)],
      'send update → record retry (unavailable) → replan 86400 s',
    ],
    [
      'is not asked sooner than the back-off says',
      update,
      [waits(1_000)],
      'send update → record retry (unavailable) → replan 18 s',
      { retry: { failures: 2, since: 1_000_000_000 - 10_000 } },
    ],
    [
      'that names none is asked after the back-off',
      update,
      [waits(null)],
      'send update → record retry (unavailable) → replan 2 s',
    ],
    [
      'is waited for by a look-up too',
      early,
      [waits(120_000)],
      'look → record retry (outcome_unknown, in flight) → replan 120 s',
    ],
    [
      'is waited for by a look behind a refusal too',
      create,
      [refused('invalid', true), waits(120_000)],
      'send create → pause 1 s → look → replan 120 s',
    ],
  ],
  'an account that is blocked for a day at a time': [
    [
      'is tried once more when the first day is over: a day is one try',
      create,
      [dayLong],
      'send create → record retry (rate_limited) → replan 86400 s',
      { retry: { failures: 1, since: SINCE_YESTERDAY } },
    ],
    [
      'is given up when that was of no use',
      create,
      [dayLong],
      'send create → record failed (gave_up) → end failed',
      { retry: { failures: 2, since: SINCE_YESTERDAY } },
    ],
  ],
  'a destination that lets this server through to nothing': [
    ['is tried again', create, [blocked], 'send create → record retry (unavailable) → replan 300 s'],
    [
      'is tried a few times and then the author is told',
      create,
      [blocked],
      'send create → record failed (blocked) → end failed',
      { retry: { failures: 2, since: 1_000_000_000 - 600_000 } },
    ],
    [
      'leaves a create in flight unknown',
      early,
      [blocked],
      'look → record unknown (blocked) → end unknown',
      { retry: { failures: 2, since: 1_000_000_000 - 600_000 } },
    ],
    ['says nothing of a look-up that finds nothing', early, [absent], 'look → replan 18 s'],
  ],
});
