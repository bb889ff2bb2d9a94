/** Runs one test file of the copy, as `node --test` runs it: its exit code says whether all passed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../check/run-step.ts';

/** A mutant that hangs is noticed, too. */
const TIME_LIMIT_MS = 180_000;
/** Of the packages: loading them takes a third less time. */
const COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'node');
/** Of the reporter `dot`, for a test that failed. */
const FAILED = 'X';

/** Ends at the first test that fails. What such a run leaves (a database, a workflow) goes with the servers. */
export async function passes(
  file: string,
  { cwd, env, signal }: { cwd: string; env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<boolean> {
  if (signal.aborted) return false;
  const args = ['--test-reporter=dot', file];
  // A process group of its own, since tests start workers and servers: all of them end with it.
  const child = spawn(process.execPath, args, {
    cwd,
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const end = () => child.pid !== undefined && endGroup(child.pid);
  const limit = setTimeout(end, TIME_LIMIT_MS);
  signal.addEventListener('abort', end, { once: true });
  child.stdout.setEncoding('utf8').on('data', (marks: string) => marks.includes(FAILED) && end());
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code === 0;
  } finally {
    clearTimeout(limit);
    signal.removeEventListener('abort', end);
    end();
  }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
