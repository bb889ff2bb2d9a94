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
  const [state, started] = process.platform === 'linux' ? readStat(pid) : runPs(pid, 'stat=,lstart=');
  return state === undefined || started === undefined || /^[ZX]/.test(state) ? null : { pid, started };
}

/** `identity` may be anything that a file contained. */
export function isAlive(identity: Partial<ProcessIdentity> | null): identity is ProcessIdentity {
  const found = typeof identity?.pid === 'number' ? identify(identity.pid) : null;
  return found !== null && found.started === identity?.started;
}

/** Returns the command line with its arguments joined by spaces; empty if it is not readable. */
export function readCommandLine(pid: number): string {
  if (process.platform !== 'linux') return runPs(pid, 'command=').join(' ');
  return readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
}

function readStat(pid: number): string[] {
  const stat = readText(`/proc/${pid}/stat`);
  // The second field is the name in brackets, which may contain spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // The 22nd field of the line, with the boot id, because ticks restart at each boot.
  return fields.length < 20
    ? []
    : [`${fields[0]}`, `${fields[19]}@${readText('/proc/sys/kernel/random/boot_id').trim()}`];
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the first word of the output and the rest. */
function runPs(pid: number, columns: string): string[] {
  try {
    const env = { ...process.env, LC_ALL: 'C' };
    const output = execFileSync('ps', ['-o', columns, '-p', `${pid}`], { encoding: 'utf8', env, stdio: 'pipe' });
    return /^(\S+)\s*(.*)$/s.exec(output.trim())?.slice(1) ?? [];
  } catch {
    return [];
  }
}
