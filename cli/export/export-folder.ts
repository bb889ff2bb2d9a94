/**
 * Writes the files of an export into a folder. Files that were changed since the last export are
 * not overwritten without `force`. A record in the folder holds the exported hashes.
 */
import { createHash } from 'node:crypto';
import { lstat, mkdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createFailure, Failure, ignoreAbsent, readSystemCode } from '../failure.ts';
import { createWriteFailure, replaceFile } from '../replace-file.ts';
import { isRecord, parseObject } from '../server/json.ts';

export type FileOutcome = 'new' | 'updated' | 'unchanged' | 'kept' | 'overwritten' | 'refused';

const FOLDERS = ['', 'articles', 'images'];
const RECORD = '.courant-export.json';

export interface ExportFolder {
  write(path: string, bytes: Buffer): Promise<FileOutcome>;
  /** Lists files of the last export that this one lacks. They are not removed. */
  listRemovedArticles(): Promise<string[]>;
  /**
   * Writes the record for the next export. After an incomplete export, it also has the files of the
   * last one.
   */
  close(result: 'complete' | 'incomplete'): Promise<void>;
}

export async function openExportFolder(folder: string, { force }: { force: boolean }): Promise<ExportFolder> {
  for (const name of FOLDERS) await openFolder(join(folder, name), { mayBeLink: name === '' });
  const record = join(folder, RECORD);
  const previousHashes = await readRecord(record);
  const newHashes = new Map<string, string>();
  const written = new Set<string>();

  return {
    async write(path, bytes) {
      // Case-insensitive file systems treat names with the same result as one file.
      const name = path.normalize('NFC').toLowerCase();
      if (!isSafeExportPath(path) || written.has(name)) return 'refused';
      written.add(name);
      const hash = hashBytes(bytes);
      const target = join(folder, path);
      try {
        const existing = await inspect(target);
        const lastHash = previousHashes.get(path);
        const isUnchangedHere = existing === 'absent' || existing === hash || existing === lastHash;
        const isWritten = isUnchangedHere || force;
        const recorded = isWritten ? hash : lastHash;
        if (recorded !== undefined) newHashes.set(path, recorded);
        if (existing === hash) return 'unchanged';
        if (!isWritten) return 'kept';
        if (existing === 'no file') await unlink(target);
        await replaceFile(target, bytes);
        return existing === 'absent' ? 'new' : isUnchangedHere ? 'updated' : 'overwritten';
      } catch (error) {
        newHashes.delete(path);
        throw createWriteFailure(target, error);
      }
    },
    async listRemovedArticles() {
      const missing: string[] = [];
      for (const path of previousHashes.keys()) {
        if (!newHashes.has(path) && (await lstat(join(folder, path)).catch(ignoreAbsent)) !== null) missing.push(path);
      }
      return missing;
    },
    async close(result) {
      const known = result === 'complete' ? [...newHashes] : [...previousHashes, ...newHashes];
      const files = Object.fromEntries(new Map(known.sort(([a], [b]) => (a < b ? -1 : 1))));
      try {
        await replaceFile(record, `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
      } catch (error) {
        throw createWriteFailure(record, error);
      }
    },
  };
}

async function readRecord(path: string): Promise<Map<string, string>> {
  const text = await readFile(path, 'utf8')
    .catch(ignoreAbsent)
    .catch((error: unknown) => {
      throw createFailure(`The list of exported files cannot be read (${readSystemCode(error) ?? 'error'}): ${path}`, {
        hints: ['Make it readable, or use another folder.'],
        cause: error,
      });
    });
  const files = text === null ? null : parseObject(text)?.files;
  return new Map(Object.entries(isRecord(files) ? files : {}) as [string, string][]);
}

/** Returns the hash of a file. A folder or a link is never exported, and a link is not followed. */
async function inspect(path: string): Promise<string> {
  const found = await lstat(path).catch(ignoreAbsent);
  if (found === null) return 'absent';
  return found.isFile() ? hashBytes(await readFile(path)) : 'no file';
}

function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** `con.md` is the console on Windows, in any folder. */
const WINDOWS_DEVICE = /^(?:aux|con|nul|prn|com\d|lpt\d)\./i;

/**
 * True for a path that exports contain; false if it leaves the folder or is special on a system.
 */
export function isSafeExportPath(path: string, system: NodeJS.Platform = process.platform): boolean {
  const [name = '', folder = '', ...others] = path.split('/').reverse();
  if (others.length > 0 || !FOLDERS.includes(folder)) return false;
  if (system === 'win32' && WINDOWS_DEVICE.test(name)) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for controls.
  return /\.(?:md|json|txt|png|jpg|gif|webp|avif)$/.test(name) && !/^\.|[\u0000-\u001f\u007f<>:"\\|?*]/.test(name);
}

async function openFolder(path: string, { mayBeLink }: { mayBeLink: boolean }): Promise<void> {
  try {
    const found = mayBeLink ? null : await lstat(path).catch(ignoreAbsent);
    // A link would lead outside of the folder.
    if (found !== null && !found.isDirectory())
      throw createFailure(`This is not a real folder, so nothing was written into it: ${path}`);
    await mkdir(path, { recursive: true });
  } catch (error) {
    if (error instanceof Failure) throw error;
    const code = readSystemCode(error) ?? 'error';
    const isNoFolder = code === 'EEXIST' || code === 'ENOTDIR';
    const reason = isNoFolder ? 'This is not a folder' : `The folder cannot be created (${code})`;
    throw createFailure(`${reason}: ${path}`, { hints: ['Use a folder that you can write to.'], cause: error });
  }
}
