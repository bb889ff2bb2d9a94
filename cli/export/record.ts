/** The record of exported files in a folder. A file that differs from it was changed locally. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFailure, readSystemCode } from '../failure.ts';
import { parseObject } from '../server/json.ts';
import { ignoreMissingFile, writeExportFile } from './files-on-disk.ts';

/**
 * Hashes of the exported content by path. After an interrupted export, a path can have two: of the
 * content that was to be written, and of the earlier one.
 */
export type Hashes = Map<string, string[]>;

const RECORD = '.courant-export.json';

export async function readExportRecord(folder: string): Promise<Hashes> {
  const path = join(folder, RECORD);
  const text = await readFile(path, 'utf8')
    .catch(ignoreMissingFile)
    .catch((error: unknown) => {
      throw createFailure(`The list of exported files cannot be read (${readSystemCode(error) ?? 'error'}): ${path}`, {
        hints: ['Make it readable, or use another folder.'],
        cause: error,
      });
    });
  const files = Object.entries((text === null ? null : parseObject(text)?.files) ?? {});
  return new Map(files.map(([name, hashes]) => [name, [hashes].flat().filter((hash) => typeof hash === 'string')]));
}

export async function writeExportRecord(folder: string, hashes: Hashes): Promise<void> {
  const sorted = [...hashes].sort(([a], [b]) => (a < b ? -1 : 1));
  const files = Object.fromEntries(sorted.map(([name, known]) => [name, known.length === 1 ? known[0] : known]));
  await writeExportFile(join(folder, RECORD), `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
}
