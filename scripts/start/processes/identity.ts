/**
 * Identifies a process. Pids are reused, so a process of ours is identified by its pid together with its start time, and only such a pair is
 * ever signalled.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  pid: number;
  /** Opaque, equal for the same process only: clock ticks since boot on Linux, the start date elsewhere. */
  started: string;
}

/** The identity of a running process; null if there is none with this pid. A zombie does not count. */
export function identify(pid: number): ProcessIdentity | null {
  const started = process.platform === 'linux' ? readStartTicks(pid) : readStartDate(pid);
  return started === null ? null : { pid, started };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.started === identity.started;
}

/** The command line with its arguments joined by spaces; null if it cannot be read. */
export function readCommandLine(pid: number): string | null {
  if (process.platform !== 'linux') return askPs(pid, 'command=');
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || null;
  } catch {
    return null;
  }
}

function readStartTicks(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in brackets and may contain spaces and brackets: count from the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    // The 22nd field of the line, with the boot id: ticks start again at each boot.
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
  const state = askPs(pid, 'stat=');
  return state === null || state.startsWith('Z') ? null : askPs(pid, 'lstart=');
}

function askPs(pid: number, column: string): string | null {
  try {
    const answer = execFileSync('ps', ['-o', column, '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return answer.trim() || null;
  } catch {
    return null;
  }
}
