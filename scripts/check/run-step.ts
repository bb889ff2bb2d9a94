/**
 * One step of the check as a child process: quiet when it passes, its whole output when it fails.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Step {
  name: string;
  /** A program of node_modules/.bin, or `node`. */
  program: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

/** Holds what ends the step that is running at the moment. */
export interface ActiveStep {
  interrupt: (() => void) | null;
}

/** Runs a step and prints one line on how it went; true when it passed. */
export async function runStep(step: Step, active: ActiveStep): Promise<boolean> {
  const started = Date.now();
  const child = start(step.program, step.args, step.env, 'pipe');
  const said: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => said.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk));
  const passed = await waitFor(child, active);
  process.stdout.write(
    `${passed ? 'ok    ' : 'FAILED'}  ${step.name}  ${((Date.now() - started) / 1_000).toFixed(1)} s\n`,
  );
  if (!passed) process.stdout.write(Buffer.concat(said));
  return passed;
}

/** Runs test files (all of them when none is named) with their output as it comes; true when all passed. */
export async function runTests(files: string[], env: NodeJS.ProcessEnv, active: ActiveStep): Promise<boolean> {
  // An argument list of options alone (say, a name pattern) still means all files.
  const named = files.some((file) => !file.startsWith('-'));
  const args = ['--test', '--test-concurrency=3', '--test-timeout=180000', '--test-reporter=spec', ...files];
  return waitFor(start('node', named ? args : [...args, 'test/**/*.test.ts'], env, 'inherit'), active);
}

const PROGRAMS = join(ROOT, 'node_modules', '.bin');
/** Longer than `npm start` needs to stop everything: a test may be running one. */
const GRACE_MS = 12_000;

function start(program: string, args: string[], env: NodeJS.ProcessEnv, output: 'pipe' | 'inherit'): ChildProcess {
  const script = args[0];
  if (program === 'node' && script?.endsWith('.ts') && !existsSync(join(ROOT, script))) {
    throw new Error(`${script} does not exist.`);
  }
  return spawn(program === 'node' ? process.execPath : join(PROGRAMS, program), args, {
    cwd: ROOT,
    // The programs are scripts that ask for `node`: they get the one of this repository too.
    env: { ...env, PATH: `${PROGRAMS}${delimiter}${env.PATH ?? ''}` },
    stdio: ['ignore', output, output],
    // A group of its own, so that an interruption can reach the step with all its children, and wait for it.
    detached: true,
  });
}

async function waitFor(child: ChildProcess, active: ActiveStep): Promise<boolean> {
  active.interrupt = () => {
    signalGroup(child, 'SIGTERM');
    setTimeout(() => signalGroup(child, 'SIGKILL'), GRACE_MS).unref();
  };
  try {
    return await new Promise<boolean>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code === 0));
    });
  } finally {
    active.interrupt = null;
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: the group has ended meanwhile.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
