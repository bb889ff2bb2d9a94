/**
 * Runs one test file of the copy like `node --test`. Exit code 0: all tests passed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ROOT } from '../check/run-step.ts';

/** A mutant that hangs counts as detected. */
const TIME_LIMIT_MS = 180_000;
/** The compile cache reduces the time to load packages by a third. */
const COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'node');
/** The mark of the reporter `dot` for a failed test. */
const FAILED = 'X';

/** Ends at the first failed test. Its databases and workflows are removed with the servers. */
export async function passesTests(
  file: string,
  { cwd, env, signal }: { cwd: string; env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<boolean> {
  if (signal.aborted) return false;
  const args = ['--test-reporter=dot', file];
  // Its own process group, so that workers and servers of the tests end with it.
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
