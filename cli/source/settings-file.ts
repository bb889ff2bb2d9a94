/** Reads `courant.json`, the settings of a folder of articles. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_REPOSITORY_LENGTH } from '../../article/identity/repository.ts';
import { createInputFailure, readSystemCode } from '../failure.ts';
import { parseObject } from '../server/json.ts';

export const SETTINGS_FILE = 'courant.json';

/** Returns the settings of the folder; null without a file. Throws if the file cannot be read. */
export function readSettings(folder: string): Record<string, unknown> | null {
  const path = join(folder, SETTINGS_FILE);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = readSystemCode(error);
    if (code === 'ENOENT') return null;
    const problem = `${SETTINGS_FILE} cannot be read (${code ?? 'error'}), so nothing was sent.`;
    throw createInputFailure(`${problem} Check its permissions: ${path}`, { cause: error });
  }
  const settings = parseObject(text);
  if (settings === null)
    throw createInputFailure(`${SETTINGS_FILE} is not a JSON object, so nothing was sent. Fix or remove it: ${path}`);
  return settings;
}

/** Returns the id that identifies a folder without a Git remote; null if there is none. */
export function readRepositoryId(folder: string): string | null {
  const id = readSettings(folder)?.id;
  if (id === undefined) return null;
  if (typeof id === 'string' && id.trim() !== '' && id.length <= MAX_REPOSITORY_LENGTH && !id.includes('\0')) return id;
  const limit = MAX_REPOSITORY_LENGTH.toLocaleString('en');
  throw createInputFailure(
    `"id" in ${SETTINGS_FILE} must be a non-empty string of at most ${limit} characters, without NUL: ${join(folder, SETTINGS_FILE)}`,
  );
}
