/**
 * `npm run test:faults`: a random walk of WALK_MINUTES (4) over deliveries, against servers of its own or those of `npm run test:services`.
 * Exit code: 0 if its oracle found no difference, else 1.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from './check/run-step.ts';
import { startTestServices } from './check/services.ts';
import { onEndingSignal } from './start/ending-signals.ts';

const { WALK_MINUTES = '4', TEST_DATABASE_URL } = process.env;

const services = TEST_DATABASE_URL ? null : await startTestServices((line) => process.stdout.write(`${line}\n`));
const own = services && { TEST_DATABASE_URL: services.databaseUrl, TEST_TEMPORAL_ADDRESS: services.temporalAddress };
// Not with the time limit that `npm test` sets for a file.
const child = spawn(process.execPath, ['--test', '--test-reporter=spec', 'test/faults/random-walk.test.ts'], {
  cwd: ROOT,
  env: { ...process.env, ...own, WALK_MINUTES },
  stdio: 'inherit',
});
onEndingSignal(() => child.kill('SIGTERM'));
const [code] = (await once(child, 'close')) as [number | null];
await services?.stop();
process.exit(code ?? 1);
