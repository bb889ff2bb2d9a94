/**
 * Compares a sample of cases with the model. A case is one command at one write of a delivery. The
 * interleavings test of the fault suite runs half of all cases.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createRandom } from '../../walk/random.ts';
import { RUNS } from './model.ts';
import { playRun } from './play-runs.ts';
import { startWorld, type World } from './world.ts';

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.close());

const { SEED = '26' } = process.env;
/** Runs one in this many cases. */
const SHARE = 50;

test(`a command before a write of a delivery ends in the state that the model predicts (F37, SEED=${SEED})`, async () => {
  const random = createRandom(Number(SEED));
  const wrong: string[] = [];
  for (const run of RUNS) {
    const lines = await playRun(world, run, () => random.below(SHARE) === 0);
    wrong.push(...lines.map((line) => `${run.name}: ${line}`));
  }
  assert.deepEqual(wrong, []);
});
