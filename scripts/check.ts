/**
 * `npm run check` and `npm test`: runs the checks of CI, fast steps first, and stops at the first
 * failure. With arguments (`npm test -- test/store/outbox/lease.test.ts`) runs only these test
 * files. Ends all child processes. Exit codes: 0 passed, 1 failed, 130 interrupted.
 */
import { readdirSync } from 'node:fs';
import { auditDependencies } from './check/audit.ts';
import { type ActiveSteps, ROOT, runAllTests, runStep, runTests } from './check/run-step.ts';
import { startTestServices, type TestServices } from './check/services.ts';
import { provideTools } from './check/set-up.ts';
import { describeError, StartError } from './start/start-error.ts';
import { onTerminationRequest } from './start/termination-requests.ts';

/**
 * Steps without servers. The type check takes as long as the others together on one processor and
 * runs in parallel.
 */
const STATIC_STEPS: [name: string, program: string, args: string[]][] = [
  ['format and lint', 'biome', ['check', '.']],
  ['imports', 'depcruise', ['--config', '.dependency-cruiser.cjs', ...listFolders()]],
  ['folder table', 'node', ['scripts/folder-table.ts', '--check']],
  ['prose', 'textlint', ['*.md', 'docs/*.md', 'bench/*.md']],
  ['glossary', 'node', ['scripts/check-glossary.ts']],
  ['dead code', 'knip', []],
  ['workflow bundle', 'node', ['scripts/build-workflows.ts']],
];
// The native compiler checks in a third of the time. `typescript` 6 remains for the tools that use its API.
const TYPES_STEP = ['types', 'node', ['node_modules/typescript7/bin/tsc', '--noEmit']] as const;
const DRIFT_STEP = ['generated types', 'node', ['scripts/store-types.ts', '--check']] as const;

/** The suite takes ten minutes, or a multiple on a slow machine. This ends a run that hangs. */
const TIME_LIMIT_MS = 60 * 60_000;

const files = process.argv.slice(2);
const active: ActiveSteps = new Set();
const ending = new AbortController();
let interrupted: string | null = null;
onTerminationRequest(interrupt);
const watchdog = setTimeout(() => {
  process.stderr.write(`Stopped: not finished after ${TIME_LIMIT_MS / 60_000} minutes.\n`);
  interrupt('its time limit');
}, TIME_LIMIT_MS);

let services: TestServices | null = null;
try {
  process.exitCode = (await checkAll()) ? 0 : 1;
} catch (error) {
  if (interrupted === null) process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
} finally {
  ending.abort();
  clearTimeout(watchdog);
  await (services as TestServices | null)?.stop();
  if (interrupted !== null) process.exitCode = 130;
}

async function checkAll(): Promise<boolean> {
  // The first downloads take most of a minute but little processor time, so they run in parallel
  // with the first steps.
  const search = { env: process.env, announce, aborted: ending.signal };
  const tools =
    files.length > 0 ? {} : provideTools(['TIME_SKIPPING_SERVER', 'CHROMIUM_PATH', 'PYTHON_READERS'], search);
  if (files.length === 0) {
    // Runs in parallel, because it waits for the registry and the steps use the processor.
    const auditing = auditDependencies(ROOT, search);
    const passed = await Promise.all([step(...TYPES_STEP), runStaticSteps()]);
    if (passed.includes(false)) return false;
    const audit = await auditing;
    process.stdout.write(`${audit.message}\n`);
    if (!audit.passed) return false;
  }
  const env = await provideServices();
  if (files.length === 0 && !(await step(...DRIFT_STEP, env))) return false;
  const testEnv = { ...env, ...(await tools) };
  stopHereIfInterrupted();
  // Runs last, without output after it: CI reads the summary from the last lines.
  return files.length === 0 ? runAllTests(testEnv, active) : runTests(files, testEnv, active);
}

async function runStaticSteps(): Promise<boolean> {
  for (const [name, program, args] of STATIC_STEPS) if (!(await step(name, program, args))) return false;
  return true;
}

async function step(
  name: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<boolean> {
  stopHereIfInterrupted();
  return runStep({ name, program, args: [...args], env }, active);
}

/** Uses the developer's running servers (`npm run test:services`), else starts new ones. */
async function provideServices(): Promise<NodeJS.ProcessEnv> {
  stopHereIfInterrupted();
  if (process.env.TEST_DATABASE_URL && process.env.TEST_TEMPORAL_ADDRESS) return process.env;
  const started = Date.now();
  services = await startTestServices(announce);
  process.stdout.write(`ok      servers for tests  ${((Date.now() - started) / 1_000).toFixed(1)} s\n`);
  return {
    ...process.env,
    TEST_DATABASE_URL: services.databaseUrl,
    TEST_TEMPORAL_ADDRESS: services.temporalAddress,
  };
}

function announce(line: string): void {
  process.stdout.write(`        ${line}\n`);
}

/** Lists all folders with code, so that the rules apply to a new folder from its first file on. */
function listFolders(): string[] {
  const folders = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const withoutCode = new Set(['node_modules', 'docs', 'examples', 'coverage']);
  return folders.map((entry) => entry.name).filter((name) => !name.startsWith('.') && !withoutCode.has(name));
}

function interrupt(reason: string): void {
  interrupted = reason;
  ending.abort();
  for (const interruptStep of active) interruptStep();
}

function stopHereIfInterrupted(): void {
  if (interrupted !== null) throw new StartError(`Interrupted by ${interrupted}.`);
}
