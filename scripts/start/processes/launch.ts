/**
 * Starts and ends one process. Each has its own process group, so that Ctrl-C reaches only the
 * supervisor, which stops the parts in order. Output goes to a file, because a process that
 * outlives its supervisor must not fail on a broken pipe.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../start-error.ts';
import { identify, isAlive, type ProcessIdentity } from './identity.ts';

export interface Command {
  file: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** The account of the process; by default the current one. */
  account?: { uid: number; gid: number } | undefined;
  /** Scheduling priority: 0 (normal) to 19 (lowest). */
  niceness?: number;
}

export interface RunningProcess {
  child: ChildProcess;
  identity: ProcessIdentity;
  /** Resolves to the signal or exit code that ended it. */
  exited: Promise<string>;
}

/** Starts `command` and appends its output to `logFile`. Rejects if the program cannot be run. */
export async function launch(command: Command, logFile: string): Promise<RunningProcess> {
  const log = openSync(logFile, 'a', 0o600);
  try {
    const { file, args, cwd, env, account, niceness = 0 } = command;
    const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', log, log], ...account });
    const exited = new Promise<string>((resolve) =>
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`)),
    );
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    const pid = child.pid ?? 0;
    if (niceness > 0) setPriority(pid, niceness);
    return { child, identity: identify(pid) ?? { pid, started: 'gone' }, exited };
  } finally {
    closeSync(log);
  }
}

/**
 * Signals a process, and kills its group after `patienceMs`. Resolves when it has ended: to true if
 * the signal sufficed. Does nothing if another process has the pid.
 */
export async function stopProcess(
  identity: ProcessIdentity,
  { signal, patienceMs }: { signal: NodeJS.Signals; patienceMs: number },
): Promise<boolean> {
  signalProcess(identity, identity.pid, signal);
  if (await hasEnded(identity, patienceMs)) return true;
  killGroup(identity);
  await hasEnded(identity, 2_000);
  return false;
}

/** Sends SIGKILL to the process and to all processes in its group. */
export function killGroup(identity: ProcessIdentity): void {
  signalProcess(identity, -identity.pid, 'SIGKILL');
  signalProcess(identity, identity.pid, 'SIGKILL');
}

/** Repeats `check` until it resolves. Throws a `StartError` with the last reason when time runs out. */
export async function retryUntilReady(
  what: string,
  check: () => Promise<unknown>,
  { timeoutMs, gone }: { timeoutMs: number; gone: AbortSignal },
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    gone.throwIfAborted();
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() < deadline) await sleep(50);
      else throw new StartError(`${what} was not ready within ${timeoutMs / 1_000} s: ${(error as Error).message}`);
    }
  }
}

/** `target` is the pid, or its negative for the group. */
function signalProcess(identity: ProcessIdentity, target: number, signal: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(target, signal);
  } catch {
    // It ended between the check and the signal, or leads no group.
  }
}

async function hasEnded(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(identity)) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}
