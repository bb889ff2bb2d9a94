/** Replaces a file atomically: after a full disk or a crash, the old content is intact. */
import { promises } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFailure, type Failure, readSystemCode } from './failure.ts';

/** The new file has `mode` from its creation; by default only its owner can read it. */
export async function replaceFile(path: string, content: Uint8Array | string, mode = 0o600): Promise<void> {
  // In the same folder, because a rename cannot cross disks. The name does not exceed any limit.
  const temporary = join(dirname(path), `.courant-${crypto.randomUUID()}.tmp`);
  try {
    await promises.writeFile(temporary, content, { mode, flag: 'wx', flush: true });
    await moveOver(temporary, path, MAX_RETRIES);
  } catch (error) {
    await promises.rm(temporary, { force: true });
    throw error;
  }
}

export function createWriteFailure(path: string, error: unknown): Failure {
  const code = readSystemCode(error) ?? 'error';
  const advice = ['ENOSPC', 'EDQUOT'].includes(code) ? 'Free some space there.' : 'Use a folder that you can write to.';
  return createFailure(`This file cannot be written (${code}): ${path}`, {
    hints: [`${advice} The files written so far are complete. Run the same command again to continue.`],
    cause: error,
  });
}

/** On Windows this fails while another program, such as a virus scanner, has the file open. */
async function moveOver(temporary: string, path: string, retries: number): Promise<void> {
  try {
    await promises.rename(temporary, path);
  } catch (error) {
    if (process.platform !== 'win32' || retries === 0) throw error;
    await sleep(RETRY_DELAY_MS);
    await moveOver(temporary, path, retries - 1);
  }
}

const MAX_RETRIES = 20;
const RETRY_DELAY_MS = 25;
