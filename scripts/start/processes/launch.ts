/**
 * Starts and ends one process. Each has its own process group, so that Ctrl-C reaches only the
 * supervisor, which stops the parts in order. Output goes to a file, because a process that
 * outlives its supervisor must not fail on a broken pipe.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
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

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface RunningProcess {
  child: ChildProcess;
  identity: ProcessIdentity;
  exited: Promise<Exit>;
}

/** Starts `command` and appends its output to `logFile`. Rejects if the program cannot be run. */
export async function launch(command: Command, logFile: string): Promise<RunningProcess> {
  const log = openSync(logFile, 'a', 0o600);
  try {
    const child = spawn(command.file, command.args, {
      cwd: command.cwd,
      env: command.env,
      detached: true,
      stdio: ['ignore', log, log],
      ...command.account,
    });
    const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    const pid = child.pid ?? 0;
    if (command.niceness !== undefined) setPriority(pid, command.niceness);
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
  options: { signal: NodeJS.Signals; patienceMs: number },
): Promise<boolean> {
  signalProcess(identity, options.signal);
  const deadline = Date.now() + options.patienceMs;
  while (isAlive(identity)) {
    if (Date.now() > deadline) {
      killGroup(identity);
      await waitUntilGone(identity, 2_000);
      return false;
    }
    await sleep(20);
  }
  return true;
}

/** Signals exactly that process. Returns false if it has ended. */
function signalProcess(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  try {
    return process.kill(identity.pid, signal);
  } catch {
    // It ended between the check and the signal.
    return false;
  }
}

/** Sends SIGKILL to the process and to all processes in its group. */
export function killGroup(identity: ProcessIdentity): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(-identity.pid, 'SIGKILL');
  } catch {
    // Not a group leader, or already ended.
    signalProcess(identity, 'SIGKILL');
  }
}

async function waitUntilGone(identity: ProcessIdentity, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(identity) && Date.now() < deadline) await sleep(20);
}
