import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readPause } from '../../../destinations/http/rate-headers.ts';
import { LONGEST_RETRY_AFTER_MS } from '../../../destinations/http/retry-after.ts';
import { runs } from '../../support/property-runs.ts';

const NOW = new Date('2027-03-01T09:00:00Z');

for (const [what, headers, expected] of [
  ['no header', {}, 0],
  ['something is left', { 'ratelimit-remaining': '3', 'ratelimit-reset': '20' }, 0],
  ['nothing is left', { 'ratelimit-remaining': '0', 'ratelimit-reset': '20' }, 20_000],
  ['the older names', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1.5' }, 1_500],
  [
    'a moment instead of a time',
    { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': String(NOW.getTime() / 1000 + 7) },
    7_000,
  ],
  ['a moment that has passed', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1700000000' }, 0],
  ['one line', { ratelimit: '"default";r=0;t=30' }, 30_000],
  ['one line with something left', { ratelimit: '"default";r=12;t=30' }, 0],
  ['no time given', { 'ratelimit-remaining': '0' }, 0],
  ['nonsense', { 'ratelimit-remaining': 'none', 'ratelimit-reset': 'soon' }, 0],
  ['an absurd time', { 'ratelimit-remaining': '0', 'ratelimit-reset': '99999999' }, LONGEST_RETRY_AFTER_MS],
] as const) {
  test(`an account pauses as its platform's headers say: ${what} (F11)`, () => {
    assert.equal(readPause(headers as Record<string, string>, NOW), expected);
  });
}

test('the pause is a bounded number for any headers', () => {
  const text = fc.oneof(fc.string(), fc.nat().map(String), fc.constant('0'));
  fc.assert(
    fc.property(text, text, text, (line, remaining, reset) => {
      const pause = readPause({ ratelimit: line, 'ratelimit-remaining': remaining, 'ratelimit-reset': reset }, NOW);
      assert.ok(pause >= 0 && pause <= LONGEST_RETRY_AFTER_MS);
    }),
    { numRuns: runs(100) },
  );
});
