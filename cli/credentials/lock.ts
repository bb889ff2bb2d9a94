/**
 * One command at a time changes the stored credentials. Without this, two commands that start together would exchange the
 * same refresh token, and the later answer would overwrite the earlier one: the server ends a session whose old token
 * comes back.
 */
import { type FileHandle, link, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CliConfig } from '../config.ts';
import { createFailure, type Failure, readSystemCode } from '../failure.ts';
import { makeFolder } from '../make-folder.ts';

/** The command that holds it says so every few seconds: whatever it waits for, nobody takes it for dead, and nobody waits long for a dead one. */
const SIGN_EVERY_MS = 2_000;
const STALE_MS = 15_000;
const LOOK_EVERY_MS = 50;

type Place = Pick<CliConfig, 'configFolder' | 'ownsConfigFolder'>;

/** Runs `change` while no other command holds the lock. Throws if the folder cannot be written to. */
export async function withLock<T>(place: Place, signal: AbortSignal, change: () => Promise<T>): Promise<T> {
  const path = join(place.configFolder, 'credentials.lock');
  const lock = await takeLock(path, place, signal);
  const signs = setInterval(() => void showSign(lock), SIGN_EVERY_MS);
  try {
    return await change();
  } finally {
    clearInterval(signs);
    await release(path, lock);
  }
}

async function takeLock(path: string, place: Place, signal: AbortSignal): Promise<FileHandle> {
  for (;;) {
    signal.throwIfAborted();
    const lock = await tryLock(path, place);
    if (lock !== null) return lock;
    await removeStale(path);
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** Null if another command has it. */
async function tryLock(path: string, place: Place): Promise<FileHandle | null> {
  try {
    await makeFolder(place.configFolder, 0o700);
  } catch (error) {
    // EEXIST too: a file stands in the folder's place.
    throw explainUnstored(path, error);
  }
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    if (readSystemCode(error) === 'EEXIST') return null;
    throw explainUnstored(path, error);
  }
}

export function explainUnstored(path: string, error: unknown): Failure {
  return createFailure(`The credentials could not be stored (${readSystemCode(error) ?? 'error'}): ${path}`, {
    hints: [
      'What was stored before is unchanged.',
      'They are kept in the folder that COURANT_CONFIG_DIR names: it must be one that you may write into, with room.',
    ],
    cause: error,
  });
}

/** On the file itself, which is ours even where another command has taken its place. */
async function showSign(lock: FileHandle): Promise<void> {
  const now = new Date();
  await lock.utimes(now, now).catch(ignoreAbsent);
}

/** Of a machine that slept meanwhile, another command may have the lock by now: that one is left alone. */
async function release(path: string, lock: FileHandle): Promise<void> {
  const own = await lock.stat();
  await lock.close();
  const present = await stat(path).catch(ignoreAbsent);
  if (present?.ino === own.ino) await rm(path, { force: true });
}

/** What a killed command left behind. It is moved away first, so that of two commands that see it only one removes it. */
async function removeStale(path: string): Promise<void> {
  const seen = await lstat(path).catch(ignoreAbsent);
  if (seen === null || Date.now() - seen.mtimeMs < STALE_MS) return;
  const moved = `${path}.${process.pid}`;
  try {
    await rename(path, moved);
  } catch (error) {
    ignoreAbsent(error);
    return;
  }
  const found = await lstat(moved);
  // Somebody replaced it in between: it is put back, unless there is a newer one already.
  if (found.ino !== seen.ino) await link(moved, path).catch(ignoreAbsent);
  await rm(moved, { force: true });
}

function ignoreAbsent(error: unknown): null {
  if (readSystemCode(error) === undefined) throw error;
  return null;
}
