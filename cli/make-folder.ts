/** Makes a folder, and those above it that are missing. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readSystemCode } from './failure.ts';

/**
 * True if it was missing. Node's own `recursive` goes on for ever where a system answers ENOENT below a folder that is there, as Linux does below
 * /proc: here the folder is tried once more after the one above it, and that answer counts.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    // Some systems answer something else than EEXIST for what is there: the root of a disk, or a disk that is only read.
    if (await isFolder(path)) return false;
    const above = dirname(path);
    if (readSystemCode(error) !== 'ENOENT' || above === path) throw error;
    await makeFolder(above, mode);
    return tryAgain(path, mode);
  }
}

async function tryAgain(path: string, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    return true;
  } catch (error) {
    // Another command was faster.
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
