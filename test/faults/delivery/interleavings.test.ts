/**
 * Runs commands of authors and operators at the writes of a delivery, and compares the final states
 * with the model. SEED chooses half of all cases.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RUNS } from '../../delivery/interleavings/model.ts';
import { playRun } from '../../delivery/interleavings/play-runs.ts';
import { startWorld } from '../../delivery/interleavings/world.ts';
import { createRandom } from '../../walk/random.ts';

const { SEED = '26' } = process.env;

// Two at once, because half of a case is waiting for PostgreSQL.
describe(`a command at a write (SEED=${SEED})`, { concurrency: 2 }, () => {
  for (const [index, run] of RUNS.entries()) {
    test(`a command at a write of ${run.name} (F37)`, async (context) => {
      const random = createRandom(Number(SEED) + index);
      // One world per run: each case adds rows that later sweeps and lists read again.
      const world = await startWorld();
      context.after(() => world.close());
      assert.deepEqual(await playRun(world, run, () => random.below(2) === 0), []);
    });
  }
});
