/** Reads, writes and removes files of an export folder, and converts errors to failures. */
import { createHash } from 'node:crypto';
import { lstat, readFile, unlink } from 'node:fs/promises';
import { createFailure, type Failure, readSystemCode } from '../failure.ts';
import { replaceFile } from '../replace-file.ts';

export async function writeExportFile(path: string, content: Buffer | string): Promise<void> {
  try {
    await replaceFile(path, content);
  } catch (error) {
    throw createWriteFailure(path, error);
  }
}

export async function removeExportFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    throw createWriteFailure(path, error);
  }
}

function createWriteFailure(path: string, error: unknown): Failure {
  const code = readSystemCode(error) ?? 'error';
  const spaceHint = ['ENOSPC', 'EDQUOT'].includes(code) ? 'Free some space there. ' : '';
  return createFailure(`This file cannot be written (${code}): ${path}`, {
    hints: [`${spaceHint}The files written so far are complete. Run the same command again to continue.`],
    cause: error,
  });
}

/** Returns null without a file. `hash` is null for a folder or link, which are never exported. */
export async function hashExistingFile(path: string): Promise<{ hash: string | null } | null> {
  try {
    const found = await lstat(path).catch(ignoreMissingFile);
    return found && { hash: found.isFile() ? hashBytes(await readFile(path)) : null };
  } catch (error) {
    throw createWriteFailure(path, error);
  }
}

export function ignoreMissingFile(error: unknown): null {
  if (readSystemCode(error) === 'ENOENT') return null;
  throw error;
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
