import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatLocalDateTime, layOutMonth } from '../../../store/calendar/month.ts';
import { runs } from '../../support/property-runs.ts';

const now = new Date('2026-11-22T23:30:00Z');

test('a month consists of complete weeks from Monday, and today is in the zone', () => {
  const sheet = layOutMonth(undefined, { zone: 'Europe/Berlin', now });
  assert.equal(sheet.name, '2026-11');
  assert.deepEqual([sheet.previous, sheet.next], ['2026-10', '2026-12']);
  assert.equal(sheet.weeks[0]?.[0]?.date, '2026-10-26');
  assert.equal(sheet.weeks.at(-1)?.at(-1)?.date, '2026-12-06');
  assert.deepEqual(
    sheet.weeks
      .flat()
      .filter(({ isToday }) => isToday)
      .map(({ date }) => date),
    ['2026-11-23'],
  );
  assert.equal(sheet.from.toISOString(), '2026-10-25T23:00:00.000Z');
  assert.equal(sheet.end.toISOString(), '2026-12-06T23:00:00.000Z');
  assert.deepEqual(formatLocalDateTime(now, 'Europe/Berlin'), { date: '2026-11-23', time: '00:30' });
});

test('an invalid month gives the current one', () => {
  for (const requested of ['', '2026-13', '99999-01', '2026-1', ['2026-01'], null]) {
    assert.equal(layOutMonth(requested, { zone: 'UTC', now }).name, '2026-11');
  }
});

test('every day of a month is on its sheet once, and every moment of the sheet is on one of its days', () => {
  const zones = fc.constantFrom('UTC', 'America/Sao_Paulo', 'Asia/Beirut', 'Pacific/Apia', 'Africa/Cairo');
  fc.assert(
    fc.property(
      fc.integer({ min: 1990, max: 2099 }),
      fc.integer({ min: 1, max: 12 }),
      zones,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (year, month, zone, share) => {
        const sheet = layOutMonth(`${year}-${String(month).padStart(2, '0')}`, { zone, now });
        const dates = sheet.weeks.flat().map(({ date }) => date);
        assert.equal(new Set(dates).size, dates.length);
        assert.equal(
          sheet.weeks.flat().filter(({ isOfMonth }) => isOfMonth).length,
          new Date(Date.UTC(year, month, 0)).getUTCDate(),
        );
        const at = new Date(
          sheet.from.getTime() + Math.floor((sheet.end.getTime() - 1 - sheet.from.getTime()) * share),
        );
        assert.ok(dates.includes(formatLocalDateTime(at, zone).date));
      },
    ),
    { numRuns: runs(100) },
  );
});
