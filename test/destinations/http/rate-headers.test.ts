/** Pauses of an account that follow from rate-limit headers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readPause } from '../../../destinations/http/rate-headers.ts';
import { MAX_RETRY_AFTER_MS } from '../../../destinations/http/retry-after.ts';
import { runs } from '../../support/property-runs.ts';

const NOW = new Date('2027-03-01T09:00:00Z');

for (const [what, headers, expected] of [
  ['no header', {}, 0],
  ['requests remain', { 'ratelimit-remaining': '3', 'ratelimit-reset': '20' }, 0],
  ['no requests remain', { 'ratelimit-remaining': '0', 'ratelimit-reset': '20' }, 20_000],
  ['headers with the X- prefix', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1.5' }, 1_500],
  [
    'a time stamp instead of a duration',
    { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': String(NOW.getTime() / 1000 + 7) },
    7_000,
  ],
  ['a time stamp in the past', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000000' }, 0],
  ['one RateLimit header', { ratelimit: '"default";r=0;t=30' }, 30_000],
  ['one RateLimit header with requests that remain', { ratelimit: '"default";r=12;t=30' }, 0],
  ['no reset time', { 'ratelimit-remaining': '0' }, 0],
  ['invalid values', { 'ratelimit-remaining': 'none', 'ratelimit-reset': 'soon' }, 0],
  ['an excessive time', { 'ratelimit-remaining': '0', 'ratelimit-reset': '99999999' }, MAX_RETRY_AFTER_MS],
] as const) {
  test(`rate-limit headers pause the account: ${what} (F11)`, () => {
    assert.equal(readPause(headers as Record<string, string>, NOW), expected);
  });
}

test('the pause is a bounded number for any headers', () => {
  const text = fc.oneof(fc.string(), fc.nat().map(String), fc.constant('0'));
  fc.assert(
    fc.property(text, text, text, (line, remaining, reset) => {
      const pause = readPause({ ratelimit: line, 'ratelimit-remaining': remaining, 'ratelimit-reset': reset }, NOW);
      assert.ok(pause >= 0 && pause <= MAX_RETRY_AFTER_MS);
    }),
    { numRuns: runs(100) },
  );
});
