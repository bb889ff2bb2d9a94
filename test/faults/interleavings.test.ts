/** Every write of a plan, an attempt and an ending × every command of author, operator and connection, against the model. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RUNS } from '../delivery/interleavings/model.ts';
import { playRun } from '../delivery/interleavings/play-runs.ts';
import { startWorld } from '../delivery/interleavings/world.ts';

for (const run of RUNS) {
  test(`a command at each write of ${run.name} (F37)`, async (context) => {
    // One for each: what is listed and swept grows with every case.
    const world = await startWorld();
    context.after(() => world.close());
    assert.deepEqual(await playRun(world, run, () => true), []);
  });
}
