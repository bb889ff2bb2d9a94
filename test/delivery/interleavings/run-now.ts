import { RUNS } from './model.ts';
import { playRun } from './play-runs.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
const [, , pattern = ''] = process.argv;
let n = 0;
for (const run of RUNS) {
  if (!new RegExp(pattern).test(run.name)) continue;
  const begun = Date.now();
  const before = n;
  const wrong = await playRun(world, run, () => {
    n++;
    return true;
  });
  console.log(`## ${run.name}: ${n - before} cases, ${wrong.length} wrong, ${Date.now() - begun} ms`);
  for (const one of wrong) console.log('  ', one);
}
await world.close();
