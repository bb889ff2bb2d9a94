/** Replaces a file as a whole or not at all: on a full disk, or after a crash, what was there before is there still. */
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSystemCode } from './failure.ts';

/** The new file has `mode` from its creation on; by default only its owner can read it. */
export async function replaceFile(path: string, content: Uint8Array | string, mode = 0o600): Promise<void> {
  // Beside it, because a rename does not lead to another disk; no longer than any name may be.
  const draft = join(dirname(path), `.courant-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeAll(draft, content, mode);
    await moveOver(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** `writeFile` goes on until nothing is left. A single `write` onto a disk that is nearly full takes a part, and calls that done. */
async function writeAll(path: string, content: Uint8Array | string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Windows refuses for as long as another program has the file open: a command that reads it, or what looks for viruses. */
async function moveOver(draft: string, path: string): Promise<void> {
  for (let left = RENAMES; ; left -= 1) {
    try {
      return await rename(draft, path);
    } catch (error) {
      if (left === 0 || process.platform !== 'win32' || !OPEN_ELSEWHERE.has(readSystemCode(error) ?? '')) throw error;
    }
    await sleep(RENAME_EVERY_MS);
  }
}

const OPEN_ELSEWHERE = new Set(['EACCES', 'EBUSY', 'EPERM']);
const RENAMES = 20;
const RENAME_EVERY_MS = 25;
