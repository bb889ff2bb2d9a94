/**
 * Writes the files of an export into a folder. What was changed here since the last export is kept, unless its person says otherwise: a file beside
 * them says what was written.
 */
import { createHash } from 'node:crypto';
import { lstat, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFile } from 'atomically';
import { createFailure, readSystemCode } from '../failure.ts';
import { parseObject } from '../server/json.ts';

export type FileOutcome = 'new' | 'updated' | 'unchanged' | 'kept' | 'overwritten' | 'refused';

const RECORD = '.courant-export.json';
const FOLDERS = ['', 'articles', 'images'];

export interface ExportFolder {
  write(path: string, bytes: Buffer): Promise<FileOutcome>;
  /** Of the last export, and not of this one: gone from the account, and left as they are. */
  listGone(): string[];
  /** Says what is written, for the next export. Of one that was cut, what it did not come to is as it was. */
  close(end: { isComplete: boolean }): Promise<void>;
}

export async function openExportFolder(folder: string, { force }: { force: boolean }): Promise<ExportFolder> {
  // A link would lead somewhere else.
  for (const name of FOLDERS) await makeFolder(join(folder, name), { mayBeLink: name === '' });
  const before = await readRecord(join(folder, RECORD));
  const after = new Map<string, string>();

  return {
    async write(path, bytes) {
      if (!isHarmless(path)) return 'refused';
      const hash = hashBytes(bytes);
      const target = join(folder, path);
      const present = await readPresent(target);
      const last = before.get(path);
      const isOurs = present === null || present.hash === hash || present.hash === last;
      const known = isOurs || force ? hash : last;
      if (known !== undefined) after.set(path, known);
      if (present?.hash === hash) return 'unchanged';
      if (!isOurs && !force) return 'kept';
      // The link or the folder itself, and not what it leads to.
      if (present !== null && present.hash === null) await rm(target, { recursive: false });
      await put(target, bytes);
      return present === null ? 'new' : isOurs ? 'updated' : 'overwritten';
    },
    listGone: () => [...before.keys()].filter((path) => !after.has(path)),
    async close({ isComplete }) {
      const written = new Map([...(isComplete ? [] : before), ...after]);
      const files = Object.fromEntries([...written].sort(([a], [b]) => (a < b ? -1 : 1)));
      await put(join(folder, RECORD), `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
    },
  };
}

/** What an export has, and nothing that leads elsewhere or that some system understands in its own way. */
export function isHarmless(path: string): boolean {
  const parts = path.split('/');
  const name = parts.at(-1) ?? '';
  if (parts.length > 2 || !FOLDERS.includes(parts.length === 2 ? (parts[0] ?? '') : '')) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for controls.
  return /\.(?:md|json|txt|png|jpg|gif|webp|avif)$/.test(name) && !/^\.|[\u0000-\u001f\u007f<>:"\\|?*]/.test(name);
}

/** As a whole or not at all: on a full disk the file is as it was. */
async function put(path: string, content: Buffer | string): Promise<void> {
  try {
    await writeFile(path, content, { mode: 0o600, timeout: 500 });
  } catch (error) {
    throw createFailure(`This file cannot be written (${readSystemCode(error) ?? 'error'}): ${path}`, {
      hints: ['What is written so far is whole; the same command again goes on.'],
      cause: error,
    });
  }
}

/** `hash` is null for what is no file: it is nothing that was exported. */
async function readPresent(path: string): Promise<{ hash: string | null } | null> {
  const found = await lstat(path).catch(absentAsNull);
  if (found === null) return null;
  return { hash: found.isFile() ? hashBytes(await readFile(path)) : null };
}

async function makeFolder(path: string, { mayBeLink }: { mayBeLink: boolean }): Promise<void> {
  const found = mayBeLink ? null : await lstat(path).catch(absentAsNull);
  if (found !== null && !found.isDirectory())
    throw createFailure(`This is no folder of its own, so nothing is written into it: ${path}`);
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw createFailure(`The folder cannot be made (${readSystemCode(error) ?? 'error'}): ${path}`, { cause: error });
  }
}

async function readRecord(path: string): Promise<Map<string, string>> {
  const text = await readFile(path, 'utf8').catch(absentAsNull);
  const files = text === null ? {} : (parseObject(text)?.files ?? {});
  return new Map(Object.entries(files).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function absentAsNull(error: unknown): null {
  if (readSystemCode(error) === 'ENOENT') return null;
  throw error;
}

function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
