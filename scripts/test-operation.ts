/**
 * `npm run test:operation`: runs the tests of operator tasks (`test/operation/`): a pooler, backup
 * and restore, two versions in parallel, Temporal with TLS. Uses its own servers or those of `npm
 * run test:services`. Exit code 0 if all passed, else 1.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from './check/run-step.ts';
import { startTestServices } from './check/services.ts';
import { provideTools } from './check/set-up.ts';
import { onTerminationRequest } from './start/termination-requests.ts';

const announce = (line: string) => void process.stdout.write(`${line}\n`);
const { TEST_DATABASE_URL } = process.env;

const tools = await provideTools(['PGBOUNCER', 'POSTGRES_PROGRAMS'], { env: process.env, announce });
const services = TEST_DATABASE_URL ? null : await startTestServices(announce);
const serverVariables = services && {
  TEST_DATABASE_URL: services.databaseUrl,
  TEST_TEMPORAL_ADDRESS: services.temporalAddress,
};
// In sequence, because each test starts several processes.
const args = ['--test', '--test-concurrency=1', '--test-reporter=spec', 'test/operation/*.test.ts'];
const child = spawn(process.execPath, args, {
  cwd: ROOT,
  env: { ...process.env, ...serverVariables, ...tools },
  stdio: 'inherit',
});
onTerminationRequest(() => child.kill('SIGTERM'));
const [code] = (await once(child, 'close')) as [number | null];
await services?.stop();
process.exit(code === 0 ? 0 : 1);
