/** Replaces a file atomically: after a full disk or a crash, the old content is intact. */
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSystemCode } from './failure.ts';

/** The new file has `mode` from its creation; by default only its owner can read it. */
export async function replaceFile(path: string, content: Uint8Array | string, mode = 0o600): Promise<void> {
  // In the same folder, because a rename cannot cross disks. The name does not exceed any limit.
  const temporary = join(dirname(path), `.courant-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeAll(temporary, content, mode);
    await moveOver(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Uses `writeFile`, which writes everything. On a nearly full disk, `write` stores only a part,
 * without an error.
 */
async function writeAll(path: string, content: Uint8Array | string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** On Windows this fails while another program, such as a virus scanner, has the file open. */
async function moveOver(temporary: string, path: string): Promise<void> {
  for (let remaining = MAX_RETRIES; ; remaining -= 1) {
    try {
      return await rename(temporary, path);
    } catch (error) {
      if (remaining === 0 || process.platform !== 'win32' || !FILE_IN_USE_CODES.has(readSystemCode(error) ?? ''))
        throw error;
    }
    await sleep(RETRY_DELAY_MS);
  }
}

const FILE_IN_USE_CODES = new Set(['EACCES', 'EBUSY', 'EPERM']);
const MAX_RETRIES = 20;
const RETRY_DELAY_MS = 25;
