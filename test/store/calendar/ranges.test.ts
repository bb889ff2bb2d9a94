/** The ranges of statistics: complete days of a zone, whatever their length. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DayRange, layOutRange } from '../../../store/calendar/ranges.ts';

const lay = (requested: unknown, now: string, zone = 'UTC') => layOutRange(requested, { zone, now: new Date(now) });

/**
 * Checks that every step begins at the end of the previous one and that the steps cover the range.
 */
function assertSeamless({ steps, total }: DayRange): void {
  steps.reduce((end, step) => {
    assert.equal(step.begin.getTime(), end.getTime());
    return step.end;
  }, total.begin);
  assert.equal(steps.at(-1)?.end.getTime(), total.end.getTime());
  assert.deepEqual([steps[0]?.from, steps.at(-1)?.to], [total.from, total.to]);
}

test('a range of days ends today in the author’s zone and is compared with the same number of days before', () => {
  const range = lay('7d', '2026-11-22T11:00:00Z', 'Pacific/Auckland');
  assert.deepEqual([range.total.from, range.total.to], ['2026-11-17', '2026-11-23']);
  assert.deepEqual([range.previous.from, range.previous.to], ['2026-11-10', '2026-11-16']);
  assert.equal(range.steps.length, 7);
  assertSeamless(range);
});

test('a day with a clock change has 23 or 25 hours; one without midnight begins with its first moment', () => {
  const hours = ({ steps }: DayRange) => steps.map(({ begin, end }) => (end.getTime() - begin.getTime()) / 3_600_000);
  const spring = lay('7d', '2026-03-31T12:00:00Z', 'Europe/Lisbon');
  assert.deepEqual(hours(spring), [24, 24, 24, 24, 23, 24, 24]);
  const autumn = lay('7d', '2026-10-27T12:00:00Z', 'Europe/Lisbon');
  assert.deepEqual(hours(autumn), [24, 24, 24, 24, 25, 24, 24]);
  const cairo = lay('7d', '2026-04-26T12:00:00Z', 'Africa/Cairo');
  assert.deepEqual(hours(cairo), [24, 24, 24, 24, 23, 24, 24]);
  for (const range of [spring, autumn, cairo]) assertSeamless(range);
});

test('twelve months end with the current one and are compared with the same days of the previous year', () => {
  const range = lay('12m', '2028-02-29T12:00:00Z');
  assert.equal(range.unit, 'month');
  assert.equal(range.steps.length, 12);
  assert.deepEqual([range.steps[0]?.from, range.steps[0]?.to], ['2027-03-01', '2027-03-31']);
  assert.deepEqual([range.total.from, range.total.to], ['2027-03-01', '2028-02-29']);
  assert.deepEqual([range.previous.from, range.previous.to], ['2026-03-01', '2027-02-28']);
  assertSeamless(range);
  assertSeamless(lay('12m', '2026-11-22T12:00:00Z', 'America/Sao_Paulo'));
});

test('any other value gives thirty days', () => {
  for (const requested of [undefined, '', '31d', ['7d'], 'toString', '__proto__']) {
    assert.deepEqual(lay(requested, '2026-11-22T12:00:00Z'), lay('30d', '2026-11-22T12:00:00Z'));
  }
});
