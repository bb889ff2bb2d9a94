/** Creates a folder and its missing parents. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readSystemCode } from './failure.ts';

/**
 * Returns true if the folder was missing. Node's `recursive` never ends where a system returns
 * ENOENT below an existing folder, as Linux does below /proc. So this retries once after creating
 * the parent.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    // For existing folders some systems do not return EEXIST: the root of a disk, a read-only disk.
    if (await isFolder(path)) return false;
    const parent = dirname(path);
    if (readSystemCode(error) !== 'ENOENT' || parent === path) throw error;
    await makeFolder(parent, mode);
    return retry(path, mode);
  }
}

async function retry(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    // Another command created it first.
    if (await isFolder(path)) return false;
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
