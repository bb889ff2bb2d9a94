import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays, findLocalDate, findStartOfDay } from '../../../store/calendar/days.ts';
import {
  type DigestRhythm,
  findDueAfterLast,
  findLatestDue,
  findNextDue,
} from '../../../store/calendar/digest-rhythm.ts';
import { runs } from '../../support/property-runs.ts';

const weekly = (zone: string, hour = 8, weekday = 1): DigestRhythm => ({ frequency: 'weekly', weekday, hour, zone });
const due = (rhythm: DigestRhythm, after: string) => findNextDue(rhythm, new Date(after))?.toISOString();

for (const [what, rhythm, after, expected] of [
  ['the next Monday', weekly('UTC'), '2026-11-21T05:00:00Z', '2026-11-23T08:00:00.000Z'],
  ['the same day before its hour', weekly('UTC'), '2026-11-23T07:59:59.999Z', '2026-11-23T08:00:00.000Z'],
  ['a week later if the moment is now', weekly('UTC'), '2026-11-23T08:00:00Z', '2026-11-30T08:00:00.000Z'],
  ['in local time of the zone', weekly('Asia/Kolkata'), '2026-11-21T05:00:00Z', '2026-11-23T02:30:00.000Z'],
  [
    'the zone’s Monday, not that of UTC',
    weekly('Pacific/Auckland', 0),
    '2026-07-01T00:00:00Z',
    '2026-07-05T12:00:00.000Z',
  ],
  ['08:00 in summer', weekly('Europe/Paris'), '2026-06-16T00:00:00Z', '2026-06-22T06:00:00.000Z'],
  ['08:00 in winter', weekly('Europe/Paris'), '2026-12-08T00:00:00Z', '2026-12-14T07:00:00.000Z'],
  [
    'the end of the gap if its hour does not exist',
    weekly('Europe/Paris', 2, 7),
    '2026-03-27T00:00:00Z',
    '2026-03-29T01:00:00.000Z',
  ],
  [
    'the end of a gap of two hours',
    weekly('Antarctica/Troll', 2, 7),
    '2026-03-27T00:00:00Z',
    '2026-03-29T01:00:00.000Z',
  ],
  [
    'the end of a gap of half an hour',
    weekly('Australia/Lord_Howe', 2, 7),
    '2026-10-01T00:00:00Z',
    '2026-10-03T15:30:00.000Z',
  ],
  [
    'the first moment of a day without midnight',
    weekly('America/Santiago', 0, 7),
    '2026-09-03T12:00:00Z',
    '2026-09-06T04:00:00.000Z',
  ],
  ['the first of two equal hours', weekly('Europe/Paris', 2, 7), '2026-10-23T00:00:00Z', '2026-10-25T00:00:00.000Z'],
  [
    'the next week after the first of two equal hours',
    weekly('Europe/Paris', 2, 7),
    '2026-10-25T00:00:00Z',
    '2026-11-01T01:00:00.000Z',
  ],
  [
    'the first Monday of the month',
    { ...weekly('UTC'), frequency: 'monthly' },
    '2026-11-03T00:00:00Z',
    '2026-12-07T08:00:00.000Z',
  ],
  [
    'the 1st if it has the right weekday',
    { ...weekly('UTC', 8, 2), frequency: 'monthly' },
    '2026-11-21T00:00:00Z',
    '2026-12-01T08:00:00.000Z',
  ],
  ['every day', { ...weekly('UTC'), frequency: 'daily' }, '2026-11-21T08:00:00Z', '2026-11-22T08:00:00.000Z'],
  [
    'the day after a day that the zone skipped',
    { ...weekly('Pacific/Apia'), frequency: 'daily' },
    '2011-12-30T05:00:00Z',
    '2011-12-30T10:00:00.000Z',
  ],
  ['never if it is off', { ...weekly('UTC'), frequency: 'off' }, '2026-11-21T08:00:00Z', undefined],
] as const) {
  test(`a digest is due: ${what}`, () => assert.equal(due(rhythm, after), expected));
}

const ZONES = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Antarctica/Troll',
  'Africa/Casablanca',
  'Pacific/Chatham',
  'America/Santiago',
];
const rhythms = fc.record({
  frequency: fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const),
  weekday: fc.integer({ min: 1, max: 7 }),
  hour: fc.integer({ min: 0, max: 23 }),
  zone: fc.constantFrom(...ZONES),
});
const moments = fc.date({ min: new Date('2020-01-01'), max: new Date('2045-01-01'), noInvalidDate: true });

test('for any rhythm, the due moment is later, on a matching day, and at the local hour or the end of a gap', () => {
  fc.assert(
    fc.property(rhythms, moments, (rhythm, after) => {
      const at = findNextDue(rhythm, after);
      assert.ok(at && at > after);
      assert.ok(at.getTime() - after.getTime() < 40 * 86_400_000);
      const clock = wallClock(at, rhythm.zone);
      const before = wallClock(new Date(at.getTime() - 60_000), rhythm.zone);
      // A gap that begins at midnight starts on the day before.
      const minutesBefore = before.day === clock.day ? before.minutes : before.minutes - 24 * 60;
      const skipped = clock.minutes - minutesBefore > 1;
      assert.ok(
        clock.minutes === rhythm.hour * 60 ||
          (skipped && minutesBefore < rhythm.hour * 60 && clock.minutes > rhythm.hour * 60),
        `${clock.minutes} ${rhythm.zone}`,
      );
      if (rhythm.frequency !== 'daily') assert.equal(clock.weekday, rhythm.weekday);
      if (rhythm.frequency === 'monthly') assert.ok(clock.day <= 7);
      // The first of two equal hours: an hour earlier, the clock showed another hour or day.
      const hourBefore = wallClock(new Date(at.getTime() - 3_600_000), rhythm.zone);
      assert.ok(hourBefore.minutes !== clock.minutes || hourBefore.day !== clock.day);
    }),
    { numRuns: runs(400) },
  );
});

test('no digest is missing: one per day, week or month, despite clock changes', () => {
  fc.assert(
    fc.property(rhythms, moments, (rhythm, after) => {
      let at = findNextDue(rhythm, after) as Date;
      for (let n = 0; n < 6; n++) {
        const next = findNextDue(rhythm, at) as Date;
        const days =
          (Date.parse(findLocalDate(next, rhythm.zone)) - Date.parse(findLocalDate(at, rhythm.zone))) / 86_400_000;
        if (rhythm.frequency === 'daily') assert.equal(days, 1);
        if (rhythm.frequency === 'weekly') assert.equal(days, 7);
        if (rhythm.frequency === 'monthly') assert.ok(days === 28 || days === 35);
        // Any moment in between gives the same result.
        const between = new Date((at.getTime() + next.getTime()) / 2);
        assert.equal(findNextDue(rhythm, between)?.getTime(), next.getTime());
        at = next;
      }
    }),
    { numRuns: runs(200) },
  );
});

test('after an outage the last due moment counts', () => {
  const rhythm: DigestRhythm = { ...weekly('Europe/Paris'), frequency: 'daily' };
  const since = new Date('2026-11-02T07:00:00Z');
  assert.equal(findLatestDue(rhythm, since, new Date('2026-11-02T07:30:00Z')).toISOString(), since.toISOString());
  const later = findLatestDue(rhythm, since, new Date('2027-03-30T05:59:00Z'));
  assert.equal(later.toISOString(), '2027-03-29T06:00:00.000Z');
});

test('the next digest is on another day and keeps its distance, whatever hour its author chooses', () => {
  const last = { at: new Date('2026-11-23T09:00:00Z'), frequency: 'daily', date: '2026-11-23' } as const;
  const since = new Date('2026-11-01T00:00:00Z');
  const daily = (hour: number) => findDueAfterLast({ ...weekly('UTC', hour), frequency: 'daily' }, since, last);
  assert.equal(daily(9)?.toISOString(), '2026-11-24T09:00:00.000Z');
  // Thirteen hours later, but on the same day.
  assert.equal(daily(22)?.toISOString(), '2026-11-24T22:00:00.000Z');
  // Ten hours before the next night are less than half a day.
  const late = { ...last, at: new Date('2026-11-23T15:00:00Z') };
  const early = findDueAfterLast({ ...weekly('UTC', 1), frequency: 'daily' }, since, late);
  assert.equal(early?.toISOString(), '2026-11-25T01:00:00.000Z');
  // The shorter rhythm sets the distance.
  const monthly = { ...last, frequency: 'monthly' } as const;
  assert.equal(
    findDueAfterLast({ ...weekly('UTC', 9), frequency: 'daily' }, since, monthly)?.toISOString(),
    '2026-11-24T09:00:00.000Z',
  );
});

test('days begin in the time zone, also on the day of a clock change', () => {
  assert.equal(findStartOfDay('2026-03-30', 'Europe/Paris', -1).toISOString(), '2026-03-28T23:00:00.000Z');
  assert.equal(findStartOfDay('2026-03-30', 'Europe/Paris').toISOString(), '2026-03-29T22:00:00.000Z');
  assert.equal(findStartOfDay('2026-09-06', 'America/Santiago').toISOString(), '2026-09-06T04:00:00.000Z');
  assert.equal(addDays('2027-01-03', -7), '2026-12-27');
  assert.equal(findLocalDate(new Date('2026-11-22T23:30:00Z'), 'Europe/Paris'), '2026-11-23');
});

/** Calculated with `Intl`, not with the tested code. */
function wallClock(at: Date, timeZone: string): { minutes: number; day: number; weekday: number } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const get = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return {
    minutes: Number(get('hour')) * 60 + Number(get('minute')),
    day: Number(get('day')),
    weekday: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(get('weekday')) + 1,
  };
}
