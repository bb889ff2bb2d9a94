/**
 * Runs every command of authors and operators at every write of a delivery, and compares the final
 * states with the model.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RUNS } from '../../delivery/interleavings/model.ts';
import { playRun } from '../../delivery/interleavings/play-runs.ts';
import { startWorld } from '../../delivery/interleavings/world.ts';

// Two at once, because half of a case is waiting for PostgreSQL.
describe('a command at each write', { concurrency: 2 }, () => {
  for (const run of RUNS) {
    test(`a command at each write of ${run.name} (F37)`, async (context) => {
      // One world per run: each case adds rows that later sweeps and lists read again.
      const world = await startWorld();
      context.after(() => world.close());
      assert.deepEqual(await playRun(world, run, () => true), []);
    });
  }
});
