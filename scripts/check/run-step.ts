/** Runs a step of the check as a child process. Prints its output only if it fails. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listTestFiles, planGroups, writeGroups } from './test-groups.ts';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Step {
  name: string;
  /** A program of node_modules/.bin, or `node`. */
  program: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

/** A function per running step that interrupts it. */
export type ActiveSteps = Set<() => void>;

/** Runs a step and prints one line with its result. Returns true if it passed. */
export async function runStep(step: Step, active: ActiveSteps): Promise<boolean> {
  const started = Date.now();
  const child = start(step.program, step.args, step.env, 'pipe');
  const output: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
  const passed = await waitFor(child, active);
  process.stdout.write(
    `${passed ? 'ok    ' : 'FAILED'}  ${step.name}  ${((Date.now() - started) / 1_000).toFixed(1)} s\n`,
  );
  if (!passed) process.stdout.write(Buffer.concat(output));
  return passed;
}

/** Runs all test files in groups with live output. Returns true if all passed. */
export async function runAllTests(env: NodeJS.ProcessEnv, active: ActiveSteps): Promise<boolean> {
  const groups = writeGroups(planGroups(listTestFiles(ROOT)), ROOT);
  try {
    return await runTests(groups.paths, env, active);
  } finally {
    groups.remove();
  }
}

/**
 * Runs these test files, each in its own process. If all arguments are options (such as a name
 * pattern), runs all files.
 */
export async function runTests(files: string[], env: NodeJS.ProcessEnv, active: ActiveSteps): Promise<boolean> {
  const named = files.some((file) => !file.startsWith('-'));
  const args = [
    '--test',
    `--test-concurrency=${MAX_CONCURRENT_TESTS}`,
    `--test-timeout=${TIME_LIMIT_MS}`,
    '--test-reporter=spec',
    ...files,
  ];
  return waitFor(start('node', named ? args : [...args, 'test/**/*.test.ts'], env, 'inherit'), active);
}

/** Two per processor of a small machine, and one more, because tests wait a sixth of their time. */
const MAX_CONCURRENT_TESTS = 5;
/**
 * Per file or group, on a machine that is ten times slower. A file within a group has a smaller
 * limit.
 */
const TIME_LIMIT_MS = 60 * 60_000;
const PROGRAMS = join(ROOT, 'node_modules', '.bin');
/**
 * Each test file is a process. The shared compile cache reduces the time to load code by a third.
 */
export const COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'node');
/** Longer than `npm start` needs to stop, because a test may be running it. */
const GRACE_MS = 12_000;

function start(program: string, args: string[], env: NodeJS.ProcessEnv, output: 'pipe' | 'inherit'): ChildProcess {
  const script = args[0];
  if (program === 'node' && script?.endsWith('.ts') && !existsSync(join(ROOT, script))) {
    throw new Error(`${script} does not exist.`);
  }
  return spawn(program === 'node' ? process.execPath : join(PROGRAMS, program), args, {
    cwd: ROOT,
    // The programs are scripts that run `node`; PATH selects the Node of this repository.
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env, PATH: `${PROGRAMS}${delimiter}${env.PATH ?? ''}` },
    stdio: ['ignore', output, output],
    // Its own process group, so that an interruption reaches all child processes of the step.
    detached: true,
  });
}

async function waitFor(child: ChildProcess, active: ActiveSteps): Promise<boolean> {
  const interrupt = () => {
    signalGroup(child, 'SIGTERM');
    setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS).unref();
  };
  active.add(interrupt);
  try {
    return await new Promise<boolean>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code === 0));
    });
  } finally {
    active.delete(interrupt);
  }
}

export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: the group has already ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
