/** Creates the id of a folder of articles that is not in a repository. */
import { randomBytes, randomUUID } from 'node:crypto';
import { link, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CliContext } from '../context.ts';
import { readSystemCode } from '../failure.ts';
import { replaceFile } from '../replace-file.ts';
import { readRepositoryId, readSettings, SETTINGS_FILE } from './settings-file.ts';

/**
 * Writes a random id into `courant.json` and returns it; null, with a warning, if writing fails.
 */
export async function createRepositoryId(folder: string, { terminal }: CliContext): Promise<string | null> {
  const path = join(folder, SETTINGS_FILE);
  const displayPath = terminal.notePaint.plain(path);
  try {
    await writeId(folder, path);
    terminal.note(`Wrote ${displayPath}, which identifies the articles of this folder. Commit it with them.`);
    return readRepositoryId(folder);
  } catch (error) {
    const code = readSystemCode(error);
    if (code === undefined) throw error;
    // Another command created it at the same time.
    if (code === 'EEXIST') return readRepositoryId(folder);
    const warning = `${terminal.notePaint.yellow('warning:')} ${displayPath} cannot be written (${code}).`;
    terminal.note(
      `${warning} Without it, articles whose title comes from the file name are matched by path alone, so equal paths in two folders can collide. Add a title or an id to each file.`,
    );
    return null;
  }
}

async function writeId(folder: string, path: string): Promise<void> {
  const settings = readSettings(folder);
  const text = `${JSON.stringify({ ...settings, id: randomUUID() }, null, 2)}\n`;
  if (settings !== null) {
    await replaceFile(path, text, (await stat(path)).mode);
    return;
  }
  // Linking a complete file is atomic and never replaces an existing file.
  const temporary = join(folder, `.courant-${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(temporary, text, { flag: 'wx' });
    await link(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
