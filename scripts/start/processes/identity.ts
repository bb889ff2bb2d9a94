/**
 * Identifies a process by its pid and start time, because pids are reused. Only such a pair is ever
 * signalled.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  pid: number;
  /** Opaque, and unique with the pid: clock ticks since boot on Linux, the start date elsewhere. */
  started: string;
}

/** Returns the identity of a running process; null if there is none. A zombie does not count. */
export function identify(pid: number): ProcessIdentity | null {
  const started = process.platform === 'linux' ? readStartTicks(pid) : readStartDate(pid);
  return started === null ? null : { pid, started };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.started === identity.started;
}

/** Returns the command line with its arguments joined by spaces; null if it is not readable. */
export function readCommandLine(pid: number): string | null {
  if (process.platform !== 'linux') return runPs(pid, 'command=');
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || null;
  } catch {
    return null;
  }
}

function readStartTicks(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in brackets, which may contain spaces and brackets. Counts from
    // the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    // The 22nd field of the line, with the boot id, because ticks restart at each boot.
    return state === 'Z' || state === 'X' ? null : `${fields[19]}@${readBootId()}`;
  } catch {
    return null;
  }
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'unknown';
  }
}

function readStartDate(pid: number): string | null {
  const state = runPs(pid, 'stat=');
  return state === null || state.startsWith('Z') ? null : runPs(pid, 'lstart=');
}

function runPs(pid: number, column: string): string | null {
  try {
    const output = execFileSync('ps', ['-o', column, '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.trim() || null;
  } catch {
    return null;
  }
}
