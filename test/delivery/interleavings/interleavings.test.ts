/** Every write of a delivery × every command, against the model: a sample of what `test/faults/interleavings.test.ts` plays for minutes. */
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
/** One of so many cases. */
const SHARE = 50;

test(`a command at some writes of a delivery leads where the model says (F37, SEED=${SEED})`, async () => {
  const random = createRandom(Number(SEED));
  const wrong: string[] = [];
  for (const run of RUNS) {
    const lines = await playRun(world, run, () => random.below(SHARE) === 0);
    wrong.push(...lines.map((line) => `${run.name}: ${line}`));
  }
  assert.deepEqual(wrong, []);
});
