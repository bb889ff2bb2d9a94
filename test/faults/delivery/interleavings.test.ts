/**
 * Checks every write of a plan, an attempt and an end against every command of author, operator and
 * connection, with a model.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RUNS } from '../../delivery/interleavings/model.ts';
import { playRun } from '../../delivery/interleavings/play-runs.ts';
import { startWorld } from '../../delivery/interleavings/world.ts';

for (const run of RUNS) {
  test(`a command at each write of ${run.name} (F37)`, async (context) => {
    // One world per case, because listed and swept rows grow with every case.
    const world = await startWorld();
    context.after(() => world.close());
    assert.deepEqual(await playRun(world, run, () => true), []);
  });
}
