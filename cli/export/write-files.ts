/**
 * Writes the files of an export into a folder. Files that were changed since the last export are
 * not overwritten without `force`. A record in the folder holds the exported hashes.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { createFailure, Failure, readSystemCode } from '../failure.ts';
import { makeFolder } from '../make-folder.ts';
import { hashBytes, hashExistingFile, ignoreMissingFile, removeExportFile, writeExportFile } from './files-on-disk.ts';
import type { ArchivedFile } from './read-archive.ts';
import { type Hashes, readExportRecord, writeExportRecord } from './record.ts';

export type FileOutcome = 'new' | 'updated' | 'unchanged' | 'kept' | 'overwritten' | 'refused';

const FOLDERS = ['', 'articles', 'images'];

export interface ExportFolder {
  /**
   * Reads all files first, so that a damaged archive writes nothing, and records their hashes, so
   * that an interrupted export is recognised.
   */
  recordExpected(files: AsyncIterable<ArchivedFile>): Promise<void>;
  write(path: string, bytes: Buffer): Promise<FileOutcome>;
  /** Lists files of the last export that this one lacks. They are not removed. */
  listRemovedArticles(): Promise<string[]>;
  /** Writes the record for the next export. */
  close(): Promise<void>;
}

export async function openExportFolder(folder: string, { force }: { force: boolean }): Promise<ExportFolder> {
  // A link would lead outside of the folder.
  for (const name of FOLDERS) await openFolder(join(folder, name), { mayBeLink: name === '' });
  const previousHashes = await readExportRecord(folder);
  const newHashes: Hashes = new Map();
  const written = new Set<string>();

  return {
    async recordExpected(files) {
      const expected: Hashes = new Map(previousHashes);
      for await (const { path, read } of files) {
        const hash = hashBytes(await read());
        const hashes = expected.get(path) ?? [];
        if (isSafeExportPath(path) && !hashes.includes(hash)) expected.set(path, [...hashes, hash]);
      }
      await writeExportRecord(folder, expected);
    },
    async write(path, bytes) {
      if (!isSafeExportPath(path) || written.has(foldName(path))) return 'refused';
      written.add(foldName(path));
      const hash = hashBytes(bytes);
      const target = join(folder, path);
      const existing = await hashExistingFile(target);
      const lastHashes = previousHashes.get(path) ?? [];
      const isUnchangedHere =
        existing === null || (existing.hash !== null && [hash, ...lastHashes].includes(existing.hash));
      const hashes = isUnchangedHere || force ? [hash] : lastHashes;
      if (hashes.length > 0) newHashes.set(path, hashes);
      if (existing?.hash === hash) return 'unchanged';
      if (!isUnchangedHere && !force) return 'kept';
      // Removes a link instead of writing to its target.
      if (existing !== null && existing.hash === null) await removeExportFile(target);
      await writeExportFile(target, bytes);
      return existing === null ? 'new' : isUnchangedHere ? 'updated' : 'overwritten';
    },
    async listRemovedArticles() {
      const missing: string[] = [];
      for (const path of previousHashes.keys()) {
        if (!newHashes.has(path) && (await lstat(join(folder, path)).catch(ignoreMissingFile)) !== null)
          missing.push(path);
      }
      return missing;
    },
    close: () => writeExportRecord(folder, newHashes),
  };
}

/** Case-insensitive file systems treat names with the same result as one file. */
function foldName(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** `con.md` is the console on Windows, in any folder. */
const WINDOWS_DEVICE = /^(?:aux|con|nul|prn|com\d|lpt\d)\./i;

/**
 * True for a path that exports contain; false if it leaves the folder or is special on a system.
 */
export function isSafeExportPath(path: string, system: NodeJS.Platform = process.platform): boolean {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.length > 2 || !FOLDERS.includes(parts.length === 2 ? (parts[0] ?? '') : '')) return false;
  if (system === 'win32' && WINDOWS_DEVICE.test(name)) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for controls.
  return /\.(?:md|json|txt|png|jpg|gif|webp|avif)$/.test(name) && !/^\.|[\u0000-\u001f\u007f<>:"\\|?*]/.test(name);
}

async function openFolder(path: string, { mayBeLink }: { mayBeLink: boolean }): Promise<void> {
  try {
    const found = mayBeLink ? null : await lstat(path).catch(ignoreMissingFile);
    if (found !== null && !found.isDirectory())
      throw createFailure(`This is not a real folder, so nothing was written into it: ${path}`);
    await makeFolder(path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const code = readSystemCode(error) ?? 'error';
    const reason = NOT_A_FOLDER_CODES.has(code) ? 'This is not a folder' : `The folder cannot be created (${code})`;
    throw createFailure(`${reason}: ${path}`, { hints: ['Use a folder that you can write to.'], cause: error });
  }
}

const NOT_A_FOLDER_CODES = new Set(['EEXIST', 'ENOTDIR']);
