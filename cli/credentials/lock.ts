/**
 * One command at a time changes the stored credentials. Without this, two commands that start together would exchange the
 * same refresh token, and the later answer would overwrite the earlier one: the server ends a session whose old token
 * comes back.
 */
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CliConfig } from '../config.ts';
import { createFailure, readSystemCode } from '../failure.ts';

/** Longer than any command holds it: it makes one request, which ends after 30 s. */
const STALE_MS = 60_000;
const LOOK_EVERY_MS = 50;

type Place = Pick<CliConfig, 'configFolder' | 'ownsConfigFolder'>;

/** Runs `change` while no other command holds the lock. Throws if the folder cannot be written to. */
export async function withLock<T>(place: Place, signal: AbortSignal, change: () => Promise<T>): Promise<T> {
  const path = join(place.configFolder, 'credentials.lock');
  await takeLock(path, place, signal);
  try {
    return await change();
  } finally {
    await rm(path, { force: true });
  }
}

async function takeLock(path: string, place: Place, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    if (await tryLock(path, place)) return;
    await removeStale(path);
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** False if another command has it. */
async function tryLock(path: string, place: Place): Promise<boolean> {
  try {
    await mkdir(place.configFolder, { recursive: true, mode: 0o700 });
    const file = await open(path, 'wx', 0o600);
    await file.close();
    return true;
  } catch (error) {
    const code = readSystemCode(error);
    if (code === 'EEXIST' && (await exists(path))) return false;
    throw createFailure(`The credentials could not be stored (${code ?? 'error'}): ${path}`, {
      hints: ['What was stored before is unchanged.'],
      cause: error,
    });
  }
}

/** What a killed command left behind. It is moved away first, so that of two commands that see it only one removes it. */
async function removeStale(path: string): Promise<void> {
  const seen = await stat(path).catch(ignoreAbsent);
  if (seen === null || Date.now() - seen.mtimeMs < STALE_MS) return;
  const moved = `${path}.${process.pid}`;
  try {
    await rename(path, moved);
  } catch (error) {
    ignoreAbsent(error);
    return;
  }
  const found = await stat(moved);
  // Somebody replaced it in between: it is put back, unless there is a newer one already.
  if (found.ino !== seen.ino) await link(moved, path).catch(ignoreAbsent);
  await rm(moved, { force: true });
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(ignoreAbsent)) !== null;
}

function ignoreAbsent(error: unknown): null {
  if (readSystemCode(error) === undefined) throw error;
  return null;
}
