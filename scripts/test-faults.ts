/**
 * `npm run test:faults`: runs the slow fault tests (`test/faults/`), then a random walk of
 * WALK_MINUTES (2), on its own servers or those of `npm run test:services`. SEED repeats random
 * choices. Reports skipped tests. Exit code 0 if all passed, else 1.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { ROOT } from './check/run-step.ts';
import { startTestServices } from './check/services.ts';
import { provideTools } from './check/set-up.ts';
import { onTerminationRequest } from './start/termination-requests.ts';

/** Tests that measure or load the complete machine. The others mostly wait. */
const ALONE = ['crowd', 'hanging-destination', 'pacing', 'thousands-of-streams', 'two-of-each'];
const MAX_CONCURRENT = 4;

const { SEED = String(Date.now() % 1_000_000), TEST_DATABASE_URL } = process.env;
const { WALK_MINUTES = '2', WALK_SEED = SEED } = process.env;
/**
 * The maximum of an import, 5,000 posts, takes half an hour: `IMPORT_POSTS=5000 node --test
 * test/faults/processes/killed-import.test.ts`.
 */
const { IMPORT_POSTS = '300' } = process.env;
const announce = (line: string) => void process.stdout.write(`${line}\n`);
announce(`SEED=${SEED}`);

const services = TEST_DATABASE_URL ? null : await startTestServices(announce);
const serverVariables = services && {
  TEST_DATABASE_URL: services.databaseUrl,
  TEST_TEMPORAL_ADDRESS: services.temporalAddress,
};
const tools = await provideTools(['TIME_SKIPPING_SERVER', 'FAKETIME_LIBRARY'], { env: process.env, announce });
const env = { ...process.env, ...serverVariables, ...tools, SEED, WALK_MINUTES, WALK_SEED, IMPORT_POSTS };
// Without the time limit per file of `npm test`.
const files = globSync('test/faults/**/*.test.ts', { cwd: ROOT });
const isAlone = (file: string) => ALONE.includes(basename(file, '.test.ts'));
const passed = [
  await runTests(files.filter(isAlone), 1),
  await runTests(
    files.filter((file) => !isAlone(file)),
    MAX_CONCURRENT,
  ),
  await runTests(['test/walk/random-walk.test.ts'], 1),
];
await services?.stop();
process.exit(passed.every(Boolean) ? 0 : 1);

async function runTests(files: readonly string[], atOnce: number): Promise<boolean> {
  const args = ['--test', `--test-concurrency=${atOnce}`, '--test-reporter=spec', ...files];
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
  onTerminationRequest(() => child.kill('SIGTERM'));
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}
