/** Runs steps of the check, and tests, as child processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTerminationRequest } from '../start/termination-requests.ts';
import { provideTestServices } from './services.ts';
import { provideTools, type ToolName } from './set-up.ts';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Surroundings {
  env: NodeJS.ProcessEnv;
  /** Interrupts running steps. */
  aborted: AbortSignal;
}

/** Three per processor of a small machine: its two cores are then idle 3 % of the time. */
const MAX_CONCURRENT_TESTS = 6;
/**
 * Per file or group, on a machine that is ten times slower. A file within a group has a smaller
 * limit.
 */
const TIME_LIMIT_MS = 60 * 60_000;
const PROGRAMS = join(ROOT, 'node_modules', '.bin');
/** Each test file is a process. The shared compile cache saves a third of the loading time. */
export const COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'node');
/** Longer than `npm start` needs to stop, because a test may be running it. */
const GRACE_MS = 12_000;

/**
 * Runs a program of node_modules/.bin, or `node`. Prints one line with its result, and its output
 * only if it fails. Returns true if it passed.
 */
export async function runStep(name: string, command: readonly string[], options: Surroundings): Promise<boolean> {
  const started = Date.now();
  const output: Buffer[] = [];
  const passed = await run(command, options, (chunk) => output.push(chunk));
  const seconds = ((Date.now() - started) / 1_000).toFixed(1);
  process.stdout.write(`${passed ? 'ok    ' : 'FAILED'}  ${name}  ${seconds} s\n`);
  if (!passed) process.stdout.write(Buffer.concat(output));
  return passed;
}

/** Runs test files, each in its own process, with live output. Returns true if all passed. */
export function runTests(
  files: readonly string[],
  options: Surroundings,
  atOnce = MAX_CONCURRENT_TESTS,
): Promise<boolean> {
  const limits = [`--test-concurrency=${atOnce}`, `--test-timeout=${TIME_LIMIT_MS}`];
  return run(['node', '--test', ...limits, '--test-reporter=spec', ...files], options);
}

/**
 * Runs tests that `npm test` leaves out, with the servers of `npm run test:services` or new ones.
 * Ends this process with 0 if they passed, else with 1.
 */
export async function runSlowTests(
  tools: readonly ToolName[],
  runAll: (surroundings: Surroundings) => Promise<boolean>,
): Promise<never> {
  const ending = new AbortController();
  onTerminationRequest(() => ending.abort());
  const search = { env: process.env, announce: console.log, aborted: ending.signal };
  const found = await provideTools(tools, search);
  const services = await provideTestServices(console.log);
  const passed = await runAll({ env: { ...services.env, ...found }, aborted: ending.signal });
  await services.stop();
  process.exit(passed ? 0 : 1);
}

function run(
  [program = '', ...args]: readonly string[],
  { env, aborted }: Surroundings,
  onOutput?: (chunk: Buffer) => void,
): Promise<boolean> {
  const output = onOutput ? 'pipe' : 'inherit';
  const child = spawn(program === 'node' ? process.execPath : join(PROGRAMS, program), args, {
    cwd: ROOT,
    // The programs are scripts that run `node`; PATH selects the Node of this repository.
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env, PATH: `${PROGRAMS}${delimiter}${env.PATH ?? ''}` },
    stdio: ['ignore', output, output],
    // Its own process group, so that an interruption reaches all child processes of the step.
    detached: true,
  });
  if (onOutput) for (const stream of [child.stdout, child.stderr]) stream?.on('data', onOutput);
  const interrupt = () => {
    signalGroup(child, 'SIGTERM');
    setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS).unref();
  };
  aborted.addEventListener('abort', interrupt);
  return new Promise<boolean>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      aborted.removeEventListener('abort', interrupt);
      resolve(code === 0);
    });
  });
}

export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: the group has already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
