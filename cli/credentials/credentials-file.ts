/**
 * Stores credentials on this machine, in one JSON file that only its owner may read. The file is
 * replaced atomically, so that a full disk or a crash leaves the old one intact.
 */
import { mkdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CliConfig } from '../config.ts';
import { createFailure, ignoreAbsent, readSystemCode } from '../failure.ts';
import { replaceFile } from '../replace-file.ts';
import { isRecord, parseObject } from '../server/json.ts';
import type { Credentials } from './stored-credentials.ts';

type FolderConfig = Pick<CliConfig, 'configFolder'>;

export function getCredentialsPath(folder: FolderConfig): string {
  return join(folder.configFolder, 'credentials.json');
}

/** Returns no credentials without a file. Throws if the file is unreadable or invalid. */
export async function readCredentials(folder: FolderConfig): Promise<Credentials> {
  const path = getCredentialsPath(folder);
  const text = await readFile(path, 'utf8')
    .catch(ignoreAbsent)
    .catch((error: unknown) => {
      throw createFailure(`The stored credentials cannot be read (${readSystemCode(error) ?? 'error'}): ${path}`, {
        hints: ['COURANT_CONFIG_DIR sets the folder of the file, which must be readable.'],
        cause: error,
      });
    });
  const value = text === null ? {} : parseObject(text);
  if (value !== null && isRecord(value.origins ?? {})) return { origins: {}, ...value };
  throw createFailure(`The stored credentials are damaged: ${path}`, {
    hints: ['"courant logout" removes the file; then log in again.'],
  });
}

/** The file gets mode 0600, a new folder 0700. Returns the path of the file. */
export async function writeCredentials(folder: FolderConfig, credentials: Credentials): Promise<string> {
  const path = getCredentialsPath(folder);
  try {
    await mkdir(folder.configFolder, { recursive: true, mode: 0o700 });
    // The file may be a link into a folder of shared settings; the link is preserved.
    const target = (await realpath(path).catch(ignoreAbsent)) ?? path;
    await replaceFile(target, `${JSON.stringify(credentials, null, 2)}\n`);
    return path;
  } catch (error) {
    throw createFailure(`The credentials could not be stored (${readSystemCode(error) ?? 'error'}): ${path}`, {
      hints: [
        'The credentials stored before are unchanged.',
        'COURANT_CONFIG_DIR sets their folder: it must be writable and have free space.',
      ],
      cause: error,
    });
  }
}

/** Reads, changes and writes the stored credentials. Returns the path of the file. */
export async function updateCredentials(folder: FolderConfig, change: (stored: Credentials) => void): Promise<string> {
  const stored = await readCredentials(folder);
  change(stored);
  return writeCredentials(folder, stored);
}

/** Removes the file. Returns true if there was one. */
export async function clearCredentials(folder: FolderConfig): Promise<boolean> {
  const path = getCredentialsPath(folder);
  try {
    const isRemoved = await rm(path).then(() => true, ignoreAbsent);
    return isRemoved ?? false;
  } catch (error) {
    throw createFailure(`The stored credentials could not be removed (${readSystemCode(error) ?? 'error'}): ${path}`, {
      cause: error,
    });
  }
}

/** True if others on this machine may read the file. Windows has no such modes. */
export async function isReadableByOthers(folder: FolderConfig): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const found = await stat(getCredentialsPath(folder)).catch(ignoreAbsent);
  return found !== null && (found.mode & 0o077) !== 0;
}
