/** Parsing of `Retry-After`: seconds, dates and invalid values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MAX_RETRY_AFTER_MS, parseRetryAfter } from '../../../destinations/http/retry-after.ts';
import { runs } from '../../support/property-runs.ts';

const now = new Date('2026-11-21T12:00:00Z');

const CASES: readonly [string | null | undefined, number | null][] = [
  ['0', 0],
  ['30', 30_000],
  [' 30 ', 30_000],
  ['1.5', 1500],
  ['3600', 3_600_000],
  ['3601', MAX_RETRY_AFTER_MS],
  ['9'.repeat(400), MAX_RETRY_AFTER_MS],
  ['-5', null],
  ['1e9', null],
  ['0x10', null],
  ['soon', null],
  ['', null],
  [null, null],
  [undefined, null],
  ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
  ['Saturday, 21-Nov-26 12:00:30 GMT', 30_000],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ['Fri, 31 Dec 9999 23:59:59 GMT', MAX_RETRY_AFTER_MS],
  ['Sat, 99 Nov 2026', null],
];

for (const [value, expected] of CASES) {
  test(`Retry-After ${JSON.stringify(value)?.slice(0, 40)} is ${expected} ms (F11)`, () => {
    assert.equal(parseRetryAfter(value, now), expected);
  });
}

test('no Retry-After causes a wait outside of the limits (F11)', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.float().map(String),
        fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      ),
      (value) => {
        const wait = parseRetryAfter(value, now);
        assert.ok(wait === null || (Number.isInteger(wait) && wait >= 0 && wait <= MAX_RETRY_AFTER_MS));
      },
    ),
    { numRuns: runs(100) },
  );
});
