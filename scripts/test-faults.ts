/**
 * `npm run test:faults`: runs the slow fault tests (`test/faults/`). SEED repeats random choices.
 * Reports skipped tests.
 */
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { ROOT, runSlowTests, runTests } from './check/run-step.ts';

/** Tests that measure or load the complete machine. The others mostly wait. */
const ALONE = ['crowd', 'hanging-destination', 'pacing', 'thousands-of-streams', 'two-of-each'];
const MAX_CONCURRENT = 5;

const { SEED = String(Date.now() % 1_000_000) } = process.env;
console.log(`SEED=${SEED}`);

await runSlowTests(['TIME_SKIPPING_SERVER', 'FAKETIME_LIBRARY'], async ({ env, aborted }) => {
  const surroundings = { env: { ...env, SEED }, aborted };
  const files = globSync('test/faults/**/*.test.ts', { cwd: ROOT });
  const isAlone = (file: string) => ALONE.includes(basename(file, '.test.ts'));
  const others = files.filter((file) => !isAlone(file));
  const passed = [
    await runTests(files.filter(isAlone), surroundings, 1),
    await runTests(others, surroundings, MAX_CONCURRENT),
  ];
  return passed.every(Boolean);
});
