/**
 * COURANT_HOME: the folder of all local state, locked by one supervisor at a time. Records the
 * processes that were started for it, so that a later start can identify its own orphans.
 */
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identify, isAlive, type ProcessIdentity } from './processes/identity.ts';
import { StartError } from './start-error.ts';

export interface LockedHome {
  folder: string;
  /** Records a started process. Replaces one of the same name. */
  record(name: string, identity: ProcessIdentity): void;
  /** Processes of an earlier, crashed supervisor that are still running, by name. */
  orphans: Map<string, ProcessIdentity>;
  /** Releases the lock. Call it when no process is running any more. */
  release(): void;
}

/**
 * Creates the folder if it is missing, and locks it. Throws if a running supervisor holds the lock.
 */
export function lockHome(folder: string): LockedHome {
  mkdirSync(join(folder, 'logs'), { recursive: true });
  // PostgreSQL may run as another user, who must be able to enter the folder. Secret files have
  // their own mode.
  chmodSync(folder, 0o711);
  chmodSync(join(folder, 'logs'), 0o700);
  const lockFile = join(folder, 'supervisor.json');
  const recordFile = join(folder, 'processes.json');
  acquireLock(lockFile, folder);

  const processes = new Map(Object.entries(readRecord(recordFile)));
  const orphans = new Map([...processes].filter(([, identity]) => isAlive(identity)));
  return {
    folder,
    orphans,
    record(name, identity) {
      processes.set(name, identity);
      writeAtomically(recordFile, JSON.stringify(Object.fromEntries(processes)));
    },
    release() {
      rmSync(recordFile, { force: true });
      rmSync(lockFile, { force: true });
    },
  };
}

/**
 * Replaces a file atomically, readable only by its owner. A reader sees either the old or the new
 * text.
 */
export function writeAtomically(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.new`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, file);
}

/** Returns the running supervisor of this home; null if there is none. */
export function readLockHolder(folder: string): ProcessIdentity | null {
  const holder = readJson(join(folder, 'supervisor.json'));
  return isIdentity(holder) && isAlive(holder) ? holder : null;
}

function acquireLock(lockFile: string, folder: string): void {
  const identity = JSON.stringify(identify(process.pid));
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      createComplete(lockFile, identity);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const holder = readLockHolder(folder);
    if (holder !== null) {
      throw new StartError(
        `Courant already runs with ${folder} (pid ${holder.pid}). Stop it first, or use another COURANT_HOME and other ports.`,
      );
    }
    removeStaleLock(lockFile);
  }
  throw new StartError(`Another start with ${folder} is in progress. Wait for it, or use another COURANT_HOME.`);
}

/**
 * Creates a file with its content in one step. Otherwise another start could read an empty lock and
 * treat it as truncated by a crash.
 */
function createComplete(file: string, text: string): void {
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    // Some file systems have no hard links.
    if (!(error instanceof Error && 'code' in error && error.code !== 'EEXIST')) throw error;
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Renames first and checks again, because another start may have written its own lock meanwhile.
 */
function removeStaleLock(lockFile: string): void {
  const stale = `${lockFile}.${process.pid}.stale`;
  try {
    renameSync(lockFile, stale);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
    throw error;
  }
  const moved = readJson(stale);
  if (isIdentity(moved) && isAlive(moved)) renameSync(stale, lockFile);
  else rmSync(stale, { force: true });
}

function readRecord(file: string): Record<string, ProcessIdentity> {
  const record = readJson(file);
  if (typeof record !== 'object' || record === null) return {};
  return Object.fromEntries(
    Object.entries(record).filter((entry): entry is [string, ProcessIdentity] => isIdentity(entry[1])),
  );
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Missing, or truncated by a crash: treated as empty.
    return null;
  }
}

function isIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== 'object' || value === null) return false;
  return 'pid' in value && typeof value.pid === 'number' && 'started' in value && typeof value.started === 'string';
}
