/** One digest per period, whatever its author changes and whenever. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { Database } from '../../../store/db/database.ts';
import type { DigestSettingsChange } from '../../../store/digests/settings.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/environment.ts';
import { runs } from '../../support/property-runs.ts';
import { startWalk } from './support/walk.ts';

let database: OpenTestDatabase;
let db: Database;
before(async () => {
  database = await openTestDatabase();
  db = database.db;
});
after(() => database.close());

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** As in docs/internals/digest.md. */
const MIN_MS = { daily: 12 * HOUR_MS, weekly: 3 * DAY_MS, monthly: 14 * DAY_MS };
/** The minimum and one period. A day that already had a digest gets no second one. */
const MAX_MS = { daily: 62 * HOUR_MS, weekly: 10 * DAY_MS, monthly: 49 * DAY_MS };

for (const [what, settings, change, expected] of [
  ['daily, an earlier hour', { frequency: 'daily' }, { hour: 7 }, '2026-11-24T08:00:30'],
  ['daily, a later hour', { frequency: 'daily' }, { hour: 10 }, '2026-11-24T10:00:30'],
  ['daily, a zone in the east', { frequency: 'daily' }, { zone: 'Asia/Tokyo' }, '2026-11-24T08:00:30'],
  ['daily, a zone in the west', { frequency: 'daily' }, { zone: 'America/New_York' }, '2026-11-24T13:00:30'],
  ['weekly, an earlier hour', { weekday: 2 }, { hour: 7 }, '2026-11-24T08:00:30'],
  ['weekly, a later hour', { weekday: 2 }, { hour: 10 }, '2026-11-24T10:00:30'],
  ['weekly, a zone in the east', { weekday: 2 }, { zone: 'Pacific/Auckland' }, '2026-11-24T08:00:30'],
  ['weekly, a zone in the west', { weekday: 2 }, { zone: 'Pacific/Honolulu' }, '2026-11-24T18:00:30'],
  ['weekly, an earlier day', { weekday: 2 }, { weekday: 1 }, '2026-11-24T08:00:30'],
  ['weekly, a later day', { weekday: 2 }, { weekday: 3 }, '2026-11-25T08:00:30'],
  ['weekly to daily', { weekday: 2 }, { frequency: 'daily' }, '2026-11-24T08:00:30'],
] as const) {
  test(`a due digest is not lost by a change before the sweep: ${what}`, async () => {
    const walk = await startWalk(db, { startsAt: '2026-11-10T09:00:00Z', settings });
    await walk.until('2026-11-24T07:59:00Z');
    const before = walk.mails.length;
    assert.ok(before > 0);
    await walk.until('2026-11-24T08:00:10Z');
    await walk.change(change);
    await walk.until('2026-11-24T22:00:00Z');
    if (what !== 'weekly, a later day') assert.equal(walk.mails.length, before + 1, JSON.stringify(walk.mails));
    await walk.until('2026-11-26T06:30:00Z');
    const [mail] = walk.mails.slice(before);
    assert.equal(mail?.at.toISOString(), `${expected}.000Z`);
  });
}

test('a change between the start of a digest and its mail neither repeats it nor loses the next one', async () => {
  for (const change of [
    { hour: 10 },
    { hour: 6 },
    { zone: 'Asia/Tokyo' },
    { zone: 'Pacific/Honolulu' },
    { weekday: 1 },
  ]) {
    let pending: DigestSettingsChange | null = change;
    const walk = await startWalk(db, {
      startsAt: '2026-11-18T00:00:00Z',
      settings: { weekday: 2 },
      lagMs: 40 * 60_000,
      async during(moment) {
        if (moment !== 'begun' || pending === null) return;
        const pendingChange = pending;
        pending = null;
        await walk.change(pendingChange);
      },
    });
    await walk.until('2026-11-25T00:00:00Z');
    assert.deepEqual(
      walk.mails.map(({ date }) => date),
      ['2026-11-24'],
      JSON.stringify(change),
    );
    await walk.until('2026-12-02T12:00:00Z');
    assert.equal(walk.mails.length, 2, JSON.stringify({ change, mails: walk.mails }));
  }
});

test('a mail that is days late is not followed at once by the next one', async () => {
  const walk = await startWalk(db, {
    startsAt: '2026-11-18T00:00:00Z',
    settings: { frequency: 'daily' },
    lagMs: 3 * DAY_MS,
  });
  await walk.until('2026-11-21T22:00:00Z');
  const [first, second] = walk.mails;
  assert.ok(first);
  assert.ok(!second || second.at.getTime() - first.at.getTime() >= MIN_MS.daily, JSON.stringify(walk.mails));
});

const changes = fc.record(
  {
    frequency: fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const),
    weekday: fc.integer({ min: 1, max: 7 }),
    hour: fc.integer({ min: 0, max: 23 }),
    zone: fc.constantFrom('UTC', 'America/New_York', 'Europe/Paris', 'Asia/Kolkata', 'Asia/Tokyo'),
  },
  { requiredKeys: [] },
);
const walks = fc.record({
  first: fc.record({
    frequency: fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const),
    weekday: fc.integer({ min: 1, max: 7 }),
    hour: fc.integer({ min: 0, max: 23 }),
    zone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Tokyo'),
  }),
  /** Before a change of clocks in autumn or in spring. */
  made: fc.constantFrom('2026-10-01T09:30:00Z', '2027-02-20T22:10:00Z'),
  lagMs: fc.constantFrom(0, 20 * 60_000, 3 * HOUR_MS),
  steps: fc.array(
    fc.record({
      hours: fc.integer({ min: 1, max: 300 }),
      change: changes,
      when: fc.constantFrom(
        'between sweeps' as const,
        'chosen' as const,
        'begun' as const,
        'right after it is due' as const,
      ),
    }),
    { minLength: 1, maxLength: 8 },
  ),
});

/**
 * A change while the digest of a week is in progress applies from then on, not from the change
 * before.
 */
const CHANGED_WHILE_BEGUN = {
  first: { frequency: 'daily' as const, weekday: 3, hour: 0, zone: 'UTC' as const },
  made: '2027-02-20T22:10:00Z' as const,
  lagMs: 0,
  steps: [
    { hours: 1, change: { frequency: 'weekly' as const, hour: 0 }, when: 'between sweeps' as const },
    { hours: 73, change: { frequency: 'monthly' as const }, when: 'begun' as const },
  ],
};

test('every period has exactly one digest, never closer than the minimum, whatever changes when', async () => {
  await fc.assert(
    fc.asyncProperty(walks, async ({ first, made: startsAt, lagMs, steps }) => {
      let waiting: { when: string; change: DigestSettingsChange } | null = null;
      const used: { at: number; frequency: 'daily' | 'weekly' | 'monthly' }[] = [];
      let now = new Date(startsAt);
      const walk = await startWalk(db, {
        startsAt,
        settings: first,
        lagMs,
        async during(moment, at) {
          if (waiting?.when !== moment) return;
          const { change } = waiting;
          waiting = null;
          await apply(change, at);
        },
      });
      async function apply(change: DigestSettingsChange, at = now): Promise<void> {
        const { frequency } = await walk.change(change);
        if (frequency !== 'off') used.push({ at: at.getTime(), frequency });
      }
      used.push({ at: now.getTime(), frequency: first.frequency });
      for (const { hours, change, when } of steps) {
        const next = new Date(now.getTime() + hours * HOUR_MS);
        if (when === 'chosen' || when === 'begun') waiting = { when, change };
        await walk.until(next);
        now = next;
        if (when === 'between sweeps') await apply(change);
        if (when === 'right after it is due') {
          now = new Date(Math.ceil(now.getTime() / HOUR_MS) * HOUR_MS + 10_000);
          await walk.until(now);
          await apply(change);
        }
      }
      waiting = null;
      const last = new Date(now.getTime() + MAX_MS[used.at(-1)?.frequency ?? 'monthly'] + DAY_MS);
      await walk.until(last);

      const frequenciesSince = (from: number, to: number) => {
        const inForce = used.filter(({ at }, n) => at <= to && (used[n + 1]?.at ?? Infinity) >= from - lagMs - HOUR_MS);
        return inForce.map(({ frequency }) => frequency);
      };
      assert.equal(new Set(walk.mails.map(({ date }) => date)).size, walk.mails.length, 'two of one day');
      const moments = [...walk.mails.map(({ at }) => at.getTime()), last.getTime()];
      let before = new Date(startsAt).getTime();
      for (const [n, at] of moments.entries()) {
        const rhythms = frequenciesSince(before, at);
        const gap = at - before;
        const interval = `${new Date(before).toISOString()} … ${new Date(at).toISOString()} ${rhythms}`;
        const minGap = Math.min(...rhythms.map((frequency) => MIN_MS[frequency]));
        if (n > 0 && n < moments.length - 1) assert.ok(gap >= minGap, `too close: ${interval}`);
        const maxGap = Math.max(...rhythms.map((frequency) => MAX_MS[frequency])) + lagMs + 2 * HOUR_MS;
        assert.ok(gap <= maxGap, `none for too long: ${interval}`);
        before = at;
      }
    }),
    { numRuns: runs(12), examples: [[CHANGED_WHILE_BEGUN]] },
  );
});
