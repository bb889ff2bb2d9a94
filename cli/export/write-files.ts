/**
 * Writes the files of an export into a folder. What was changed here since the last export is kept, unless its person says otherwise: a file beside
 * them says what was written.
 */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { createFailure, Failure, readSystemCode } from '../failure.ts';
import { makeFolder } from '../make-folder.ts';
import { absentAsNull, hashBytes, put, readPresent, remove } from './files-on-disk.ts';
import type { ArchivedFile } from './read-archive.ts';
import { type Hashes, putRecord, readRecord } from './record.ts';

export type FileOutcome = 'new' | 'updated' | 'unchanged' | 'kept' | 'overwritten' | 'refused';

const FOLDERS = ['', 'articles', 'images'];

export interface ExportFolder {
  /** Reads all that is to be written, so that nothing is where a part is damaged; from then on it is known for ours, however this export ends. */
  expect(files: AsyncIterable<ArchivedFile>): Promise<void>;
  write(path: string, bytes: Buffer): Promise<FileOutcome>;
  /** Of the last export, and not of this one: gone from the account, and left as they are. */
  listGone(): Promise<string[]>;
  /** Says what is written, for the next export. */
  close(): Promise<void>;
}

export async function openExportFolder(folder: string, { force }: { force: boolean }): Promise<ExportFolder> {
  // A link would lead somewhere else.
  for (const name of FOLDERS) await openFolder(join(folder, name), { mayBeLink: name === '' });
  const before = await readRecord(folder);
  const after: Hashes = new Map();
  const taken = new Set<string>();

  return {
    async expect(files) {
      const either: Hashes = new Map(before);
      for await (const { path, read } of files) {
        const hash = hashBytes(await read());
        const known = either.get(path) ?? [];
        if (isHarmless(path) && !known.includes(hash)) either.set(path, [...known, hash]);
      }
      await putRecord(folder, either);
    },
    async write(path, bytes) {
      if (!isHarmless(path) || taken.has(fold(path))) return 'refused';
      taken.add(fold(path));
      const hash = hashBytes(bytes);
      const target = join(folder, path);
      const present = await readPresent(target);
      const last = before.get(path) ?? [];
      const isOurs = present === null || (present.hash !== null && [hash, ...last].includes(present.hash));
      const known = isOurs || force ? [hash] : last;
      if (known.length > 0) after.set(path, known);
      if (present?.hash === hash) return 'unchanged';
      if (!isOurs && !force) return 'kept';
      // The link itself, and not what it leads to.
      if (present !== null && present.hash === null) await remove(target);
      await put(target, bytes);
      return present === null ? 'new' : isOurs ? 'updated' : 'overwritten';
    },
    async listGone() {
      const gone: string[] = [];
      for (const path of before.keys()) {
        if (!after.has(path) && (await lstat(join(folder, path)).catch(absentAsNull)) !== null) gone.push(path);
      }
      return gone;
    },
    close: () => putRecord(folder, after),
  };
}

/** Two of one export would be one file where names are compared like this, and the second would be written over the first. */
function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** `con.md` is the console there, whatever its folder. */
const WINDOWS_DEVICE = /^(?:aux|con|nul|prn|com\d|lpt\d)\./i;

/** What an export has, and nothing that leads elsewhere or that some system understands in its own way. */
export function isHarmless(path: string, system: NodeJS.Platform = process.platform): boolean {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.length > 2 || !FOLDERS.includes(parts.length === 2 ? (parts[0] ?? '') : '')) return false;
  if (system === 'win32' && WINDOWS_DEVICE.test(name)) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for controls.
  return /\.(?:md|json|txt|png|jpg|gif|webp|avif)$/.test(name) && !/^\.|[\u0000-\u001f\u007f<>:"\\|?*]/.test(name);
}

async function openFolder(path: string, { mayBeLink }: { mayBeLink: boolean }): Promise<void> {
  try {
    const found = mayBeLink ? null : await lstat(path).catch(absentAsNull);
    if (found !== null && !found.isDirectory())
      throw createFailure(`This is no folder of its own, so nothing is written into it: ${path}`);
    await makeFolder(path);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const code = readSystemCode(error) ?? 'error';
    const what = NO_FOLDER.has(code) ? 'This is no folder' : `The folder cannot be made (${code})`;
    throw createFailure(`${what}: ${path}`, { hints: ['Name one that you may write into.'], cause: error });
  }
}

const NO_FOLDER = new Set(['EEXIST', 'ENOTDIR']);
