/** A secret in a file that only its owner can read, created by the first process that needs it. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Reads the file, or creates it with `create`. A temporary file is linked into place, so that two
 * processes that start at once get the same key, and no reader sees a partial file.
 */
export async function loadOrCreateKeyFile(path: string, create: () => string | Promise<string>): Promise<string> {
  const existing = await readIfExists(path);
  if (existing !== null) return existing;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporaryPath = `${path}.${randomUUID()}`;
  await writeFile(temporaryPath, await create(), { mode: 0o600, flag: 'wx' });
  try {
    await link(temporaryPath, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporaryPath, { force: true });
  }
  return readFile(path, 'utf8');
}

/** Replaces the file atomically: after a crash the old one, with its keys, remains. */
export async function replaceKeyFile(path: string, text: string): Promise<void> {
  const temporaryPath = `${path}.${randomUUID()}`;
  await writeFile(temporaryPath, text, { mode: 0o600, flag: 'wx', flush: true });
  await rename(temporaryPath, path);
}

async function readIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
