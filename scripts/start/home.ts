/**
 * COURANT_HOME: the folder of all local state, locked by one supervisor at a time. Records the
 * processes that were started for it, so that a later start can identify its own orphans.
 */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../replace-file.ts';
import { identify, isAlive, type ProcessIdentity, readCommandLine } from './processes/identity.ts';
import { stopProcess } from './processes/launch.ts';
import { StartError } from './start-error.ts';

/** For files that only their owner may read. */
export const PRIVATE_MODE = 0o600;

export interface LockedHome {
  folder: string;
  /** Records a started process. Replaces one of the same name. */
  record(name: string, identity: ProcessIdentity): void;
  /** Processes of an earlier, crashed supervisor that are still running, by name. */
  orphans: Map<string, ProcessIdentity>;
  /** Releases the lock. Call it when no process is running any more. */
  release(): void;
}

/** Creates the folder if missing, and locks it. Throws if a running supervisor holds the lock. */
export function lockHome(folder: string): LockedHome {
  mkdirSync(join(folder, 'logs'), { recursive: true });
  // PostgreSQL may run as another user, who must be able to enter the folder. Secret files have
  // their own mode.
  chmodSync(folder, 0o711);
  chmodSync(join(folder, 'logs'), 0o700);
  const lockFile = join(folder, 'supervisor.json');
  const recordFile = join(folder, 'processes.json');
  acquireLock(lockFile, folder);

  const processes = new Map(Object.entries(readJson(recordFile) ?? {}));
  const orphans = new Map([...processes].filter(([, identity]) => isAlive(identity)));
  const postgres = findOrphanedPostgres(folder);
  if (postgres !== null) orphans.set('postgres', postgres);
  return {
    folder,
    orphans,
    record(name, identity) {
      processes.set(name, identity);
      replaceFile(recordFile, JSON.stringify(Object.fromEntries(processes)), PRIVATE_MODE);
    },
    release() {
      rmSync(recordFile, { force: true });
      rmSync(lockFile, { force: true });
    },
  };
}

/**
 * Ends the processes of a crashed supervisor of this home, because they use the ports and the data.
 * The database ends last, as in a normal stop, because the others still write to it.
 */
export async function endOrphans({ orphans }: LockedHome): Promise<void> {
  const { postgres, ...others } = Object.fromEntries(orphans);
  const end = (identity: ProcessIdentity, signal: NodeJS.Signals) =>
    stopProcess(identity, { signal, patienceMs: 4_000 });
  await Promise.all(Object.values(others).map((identity) => end(identity, 'SIGTERM')));
  if (postgres !== undefined) await end(postgres, 'SIGINT');
}

/** Returns the running supervisor of this home; null if there is none. */
export function readLockHolder(folder: string): ProcessIdentity | null {
  const holder = readJson<ProcessIdentity>(join(folder, 'supervisor.json'));
  return isAlive(holder) ? holder : null;
}

function acquireLock(lockFile: string, folder: string): void {
  const holder = readLockHolder(folder);
  if (holder !== null) {
    throw new StartError(
      `Courant already runs with ${folder} (pid ${holder.pid}). Stop it first, or use another COURANT_HOME and other ports.`,
    );
  }
  // Of a crash, which may have truncated it.
  rmSync(lockFile, { force: true });
  writeFileSync(lockFile, JSON.stringify(identify(process.pid)), { flag: 'wx', mode: PRIVATE_MODE });
}

/** Finds a running server on our data folder, by the lock file of PostgreSQL. */
function findOrphanedPostgres(home: string): ProcessIdentity | null {
  const file = join(home, 'postgres', 'postmaster.pid');
  const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0;
  // After a power loss the file is stale, and another process may have the pid.
  return pid > 1 && readCommandLine(pid).includes(join(home, 'postgres')) ? identify(pid) : null;
}

/** Returns null if the file is missing, or truncated by a crash. */
function readJson<T = Record<string, ProcessIdentity>>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return null;
  }
}
