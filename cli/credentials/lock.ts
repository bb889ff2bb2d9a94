/**
 * Lets one command at a time change the stored credentials. Two commands could otherwise exchange
 * the same refresh token: the server ends a session whose old token is used again, and the later
 * response would overwrite the earlier one.
 */
import { type FileHandle, link, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CliConfig } from '../config.ts';
import { createFailure, type Failure, readSystemCode } from '../failure.ts';
import { makeFolder } from '../make-folder.ts';

/** The holder refreshes the lock's time in this interval. It is stale after `STALE_MS` without. */
const HEARTBEAT_MS = 2_000;
const STALE_MS = 15_000;
const POLL_MS = 50;

type FolderConfig = Pick<CliConfig, 'configFolder' | 'ownsConfigFolder'>;

/** Runs `change` while holding the lock. Throws if the folder cannot be written to. */
export async function withLock<T>(folder: FolderConfig, signal: AbortSignal, change: () => Promise<T>): Promise<T> {
  const path = join(folder.configFolder, 'credentials.lock');
  const lock = await acquireLock(path, folder, signal);
  const heartbeat = setInterval(() => void refreshLock(lock), HEARTBEAT_MS);
  try {
    return await change();
  } finally {
    clearInterval(heartbeat);
    await release(path, lock);
  }
}

async function acquireLock(path: string, folder: FolderConfig, signal: AbortSignal): Promise<FileHandle> {
  for (;;) {
    signal.throwIfAborted();
    const lock = await tryLock(path, folder);
    if (lock !== null) return lock;
    await removeStale(path);
    await sleep(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Returns null if another command holds it. */
async function tryLock(path: string, folder: FolderConfig): Promise<FileHandle | null> {
  try {
    await makeFolder(folder.configFolder, 0o700);
  } catch (error) {
    // EEXIST too: the path of the folder may be a file.
    throw createStoreFailure(path, error);
  }
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (readSystemCode(error) === 'EEXIST') return null;
    throw createStoreFailure(path, error);
  }
}

export function createStoreFailure(path: string, error: unknown): Failure {
  return createFailure(`The credentials could not be stored (${readSystemCode(error) ?? 'error'}): ${path}`, {
    hints: [
      'The credentials stored before are unchanged.',
      'COURANT_CONFIG_DIR sets their folder: it must be writable and have free space.',
    ],
    cause: error,
  });
}

/** Through the open file, even if another command has replaced the path. */
async function refreshLock(lock: FileHandle): Promise<void> {
  const now = new Date();
  await lock.utimes(now, now).catch(ignoreAbsent);
}

/** After a suspend, another command may hold the lock: its file has another inode and stays. */
async function release(path: string, lock: FileHandle): Promise<void> {
  const ownStats = await lock.stat();
  await lock.close();
  const currentStats = await stat(path).catch(ignoreAbsent);
  if (currentStats?.ino === ownStats.ino) await rm(path, { force: true });
}

/**
 * Removes the lock of a killed command. Renaming it first lets only one of two commands remove it.
 */
async function removeStale(path: string): Promise<void> {
  const staleStats = await lstat(path).catch(ignoreAbsent);
  if (staleStats === null || Date.now() - staleStats.mtimeMs < STALE_MS) return;
  const renamedPath = `${path}.${process.pid}`;
  try {
    await rename(path, renamedPath);
  } catch (error) {
    ignoreAbsent(error);
    return;
  }
  const renamedStats = await lstat(renamedPath);
  // Another command has replaced the stale lock: restore its lock, unless a newer one exists.
  if (renamedStats.ino !== staleStats.ino) await link(renamedPath, path).catch(ignoreAbsent);
  await rm(renamedPath, { force: true });
}

function ignoreAbsent(error: unknown): null {
  if (readSystemCode(error) === undefined) throw error;
  return null;
}
