/**
 * `npm run check` and `npm test`: runs the checks of CI, fast steps first, and stops at the first
 * failure. With arguments (`npm test -- test/store/outbox/lease.test.ts`) runs only these test
 * files. Ends all child processes. Exit codes: 0 passed, 1 failed, 130 interrupted.
 */
import { readdirSync } from 'node:fs';
import { auditDependencies } from './check/audit.ts';
import { ROOT, runStep, runTests, type Surroundings } from './check/run-step.ts';
import { provideTestServices } from './check/services.ts';
import { provideTools } from './check/set-up.ts';
import { listTestFiles, planGroups, writeGroups } from './check/test-groups.ts';
import { describeError, StartError } from './start/start-error.ts';
import { onTerminationRequest } from './start/termination-requests.ts';

/**
 * Steps without servers. The type check takes as long as the others together on one processor and
 * runs in parallel.
 */
const STATIC_STEPS: [name: string, ...command: string[]][] = [
  ['format and lint', 'biome', 'check', '.'],
  ['imports', 'depcruise', '--config', '.dependency-cruiser.cjs', ...listFolders()],
  ['folder table', 'node', 'scripts/folder-table.ts', '--check'],
  ['reference pages', 'node', 'scripts/reference.ts', '--check'],
  ['prose', 'textlint', '*.md', 'docs/**/*.md', 'bench/*.md'],
  ['glossary', 'node', 'scripts/check-glossary.ts'],
  ['dead code', 'knip'],
  ['workflow bundle', 'node', 'test/support/workflow-bundle.ts'],
];
// The native compiler checks in a third of the time. `typescript` 6 remains for the tools that use its API.
const TYPES = ['node', 'node_modules/typescript7/bin/tsc', '--noEmit'];
const DRIFT = ['node', 'scripts/store-types.ts', '--check'];

const files = process.argv.slice(2);
const ending = new AbortController();
const aborted = ending.signal;
onTerminationRequest((reason) => ending.abort(new StartError(`Interrupted by ${reason}.`)));

try {
  process.exitCode = (await (files.length === 0 ? checkAll() : testFiles())) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}
if (aborted.aborted) process.exitCode = 130;
// Cancels downloads.
ending.abort();

async function checkAll(): Promise<boolean> {
  // These take most of a minute but little processor time, so they run in parallel with the steps.
  const search = { env: process.env, announce, aborted };
  const tools = provideTools(['TIME_SKIPPING_SERVER', 'CHROMIUM_PATH', 'PYTHON_READERS', 'LINTERS'], search);
  const auditing = auditDependencies(ROOT, search);
  if ((await Promise.all([step('types', TYPES), runStaticSteps()])).includes(false)) return false;
  const audit = await auditing;
  process.stdout.write(`${audit.message}\n`);
  if (!audit.passed) return false;
  return withServices(async ({ env }) => {
    if (!(await step('generated types', DRIFT, env))) return false;
    const groups = writeGroups(planGroups(listTestFiles(ROOT)), ROOT);
    try {
      // Runs last, without output after it: CI reads the summary from the last lines.
      return await runTests(groups.paths, { env: { ...env, ...(await tools) }, aborted });
    } finally {
      groups.remove();
    }
  });
}

function testFiles(): Promise<boolean> {
  const named = files.some((file) => !file.startsWith('-'));
  return withServices((surroundings) => runTests(named ? files : [...files, 'test/**/*.test.ts'], surroundings));
}

async function withServices(run: (surroundings: Surroundings) => Promise<boolean>): Promise<boolean> {
  aborted.throwIfAborted();
  const started = Date.now();
  const services = await provideTestServices(announce);
  process.stdout.write(`ok      servers for tests  ${((Date.now() - started) / 1_000).toFixed(1)} s\n`);
  try {
    return await run({ env: services.env, aborted });
  } finally {
    await services.stop();
  }
}

async function runStaticSteps(): Promise<boolean> {
  for (const [name, ...command] of STATIC_STEPS) if (!(await step(name, command))) return false;
  return true;
}

function step(name: string, command: readonly string[], env = process.env): Promise<boolean> {
  aborted.throwIfAborted();
  return runStep(name, command, { env, aborted });
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
