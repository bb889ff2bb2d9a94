/**
 * `npm run test:faults`: the slow half of the fault matrix (`test-faults/`), then a random walk of WALK_MINUTES (4) over deliveries, against
 * servers of its own or those of `npm run test:services`. `npm test` has the quick half of each. Exit code: 0 if all passed, else 1.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from './check/run-step.ts';
import { startTestServices } from './check/services.ts';
import { provideTimeSkipping } from './check/time-skipping.ts';
import { onEndingSignal } from './start/ending-signals.ts';

const { WALK_MINUTES = '4', TEST_DATABASE_URL } = process.env;
const announce = (line: string) => process.stdout.write(`${line}\n`);

const services = TEST_DATABASE_URL ? null : await startTestServices(announce);
const own = services && { TEST_DATABASE_URL: services.databaseUrl, TEST_TEMPORAL_ADDRESS: services.temporalAddress };
const env = { ...process.env, ...own, ...(await provideTimeSkipping({ env: process.env, announce })), WALK_MINUTES };
// Not with the time limit that `npm test` sets for a file.
const matrix = await runTests('test-faults/*.test.ts');
const walk = await runTests('test/faults/random-walk.test.ts');
await services?.stop();
process.exit(matrix && walk ? 0 : 1);

/** One after the other: what they kill and measure is the whole machine's. */
async function runTests(files: string): Promise<boolean> {
  const args = ['--test', '--test-concurrency=1', '--test-reporter=spec', files];
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: 'inherit' });
  onEndingSignal(() => child.kill('SIGTERM'));
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}
