/** Tests the pure part of the rate budget (GCRA). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chooseSlot } from '../../../store/connections/rate-budget.ts';
import { runs } from '../../support/property-runs.ts';

const PACED = { pacing: { intervalMs: 1_000, burst: 3 }, isPaced: true };
const UNPACED = { ...PACED, isPaced: false };

const TABLE = [
  ['an unused budget', PACED, { arrivalMs: 0 }, { slotMs: 10_000, arrivalMs: 11_000 }],
  ['the last write of a burst', PACED, { arrivalMs: 12_000 }, { slotMs: 10_000, arrivalMs: 13_000 }],
  ['a burst that is used up', PACED, { arrivalMs: 12_500 }, { slotMs: 10_500, arrivalMs: 13_500 }],
  ['a block', PACED, { blockedMs: 20_000 }, { slotMs: 20_000, arrivalMs: 23_000 }],
  [
    'deliveries that wait for a block',
    PACED,
    { blockedMs: 20_000, arrivalMs: 25_000 },
    { slotMs: 23_000, arrivalMs: 26_000 },
  ],
  ['a block that is over', PACED, { blockedMs: 9_999 }, { slotMs: 10_000, arrivalMs: 11_000 }],
  ['an unpaced write', UNPACED, {}, { slotMs: 10_000, arrivalMs: null }],
  ['an unpaced write during a block', UNPACED, { blockedMs: 20_000 }, { slotMs: 20_000, arrivalMs: 23_000 }],
  ['an unpaced write behind others', UNPACED, { arrivalMs: 15_000 }, { slotMs: 13_000, arrivalMs: 16_000 }],
] as const;

for (const [what, request, budget, slot] of TABLE) {
  test(`chooses the slot for ${what}`, () => {
    assert.deepEqual(chooseSlot({ nowMs: 10_000, arrivalMs: 0, blockedMs: 0, ...budget }, request), slot);
  });
}

test('slots are ordered by request and never exceed the burst and the rate in any window (F33)', () => {
  const request = fc.record({ afterMs: fc.nat(5_000), blockMs: fc.option(fc.nat(20_000), { freq: 8 }) });
  const pacing = fc.record({ intervalMs: fc.integer({ min: 1, max: 4_000 }), burst: fc.integer({ min: 1, max: 10 }) });
  fc.assert(
    fc.property(pacing, fc.array(request, { minLength: 2, maxLength: 60 }), ({ intervalMs, burst }, story) => {
      let account = { nowMs: 1_000_000, arrivalMs: 0, blockedMs: 0 };
      const slots: number[] = [];
      for (const { afterMs, blockMs } of story) {
        account = { ...account, nowMs: account.nowMs + afterMs };
        if (blockMs !== null) account.blockedMs = Math.max(account.blockedMs, account.nowMs + blockMs);
        const { slotMs, arrivalMs } = chooseSlot(account, { pacing: { intervalMs, burst }, isPaced: true });
        assert.ok(slotMs >= Math.max(account.nowMs, account.blockedMs > account.nowMs ? account.blockedMs : 0));
        assert.ok(arrivalMs !== null);
        account.arrivalMs = arrivalMs;
        slots.push(slotMs);
      }
      for (const [last, slotMs] of slots.entries()) {
        for (let first = 0; first < last; first++) {
          const windowMs = slotMs - (slots[first] ?? 0);
          assert.ok(windowMs >= 0, 'order');
          const allowed = burst + Math.floor(windowMs / intervalMs);
          assert.ok(last - first + 1 <= allowed, `${last - first + 1} slots in ${windowMs} ms`);
        }
      }
    }),
    { numRuns: runs(500) },
  );
});
