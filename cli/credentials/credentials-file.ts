/**
 * Stores credentials on this machine, in one JSON file that only its owner may read. The file is
 * replaced atomically, so that a full disk or a crash leaves the old one intact.
 */
import { chmod, readFile, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CliConfig } from '../config.ts';
import { createFailure, readSystemCode } from '../failure.ts';
import { makeFolder } from '../make-folder.ts';
import { replaceFile } from '../replace-file.ts';
import { parseObject } from '../server/json.ts';
import { createStoreFailure, withLock } from './lock.ts';
import { type Credentials, toCredentials } from './stored-credentials.ts';

type FolderConfig = Pick<CliConfig, 'configFolder' | 'ownsConfigFolder'>;

export function getCredentialsPath(folder: FolderConfig): string {
  return join(folder.configFolder, 'credentials.json');
}

/**
 * Returns the stored credentials, or `{}` without any. Throws if the file is unreadable or invalid.
 */
export async function readCredentials(folder: FolderConfig): Promise<Credentials> {
  const path = getCredentialsPath(folder);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (readSystemCode(error) === 'ENOENT' || readSystemCode(error) === 'ENOTDIR') return {};
    throw createFailure(`The stored credentials cannot be read (${readSystemCode(error) ?? 'error'}): ${path}`, {
      cause: error,
    });
  }
  return parseCredentials(text, path);
}

/** Replaces the file atomically. The file gets mode 0600, a new folder 0700. */
export async function writeCredentials(folder: FolderConfig, credentials: Credentials): Promise<string> {
  const path = getCredentialsPath(folder);
  try {
    const isNew = await makeFolder(folder.configFolder, 0o700);
    if (!isNew && folder.ownsConfigFolder) await chmod(folder.configFolder, 0o700);
    await replaceFile(await followLink(path), `${JSON.stringify(credentials, null, 2)}\n`);
    return path;
  } catch (error) {
    throw createStoreFailure(path, error);
  }
}

/** The file may be a link into a folder of shared settings; the link is preserved. */
async function followLink(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (readSystemCode(error) !== 'ENOENT') throw error;
    return path;
  }
}

/** Changes the stored credentials under the lock. Returns the path of the file. */
export function updateCredentials(
  folder: FolderConfig,
  signal: AbortSignal,
  change: (stored: Credentials) => Credentials,
): Promise<string> {
  return withLock(folder, signal, async () => writeCredentials(folder, change(await readCredentials(folder))));
}

/** Removes the file. Returns true if there was one. */
export async function clearCredentials(folder: FolderConfig): Promise<boolean> {
  const path = getCredentialsPath(folder);
  try {
    await rm(path);
    return true;
  } catch (error) {
    if (readSystemCode(error) === 'ENOENT' || readSystemCode(error) === 'ENOTDIR') return false;
    throw createFailure(`The stored credentials could not be removed (${readSystemCode(error) ?? 'error'}): ${path}`, {
      cause: error,
    });
  }
}

/** True if others on this machine may read the file. Windows has no such modes. */
export async function isReadableByOthers(folder: FolderConfig): Promise<boolean> {
  if (process.platform === 'win32') return false;
  try {
    return ((await stat(getCredentialsPath(folder))).mode & 0o077) !== 0;
  } catch (error) {
    if (readSystemCode(error) === undefined) throw error;
    return false;
  }
}

function parseCredentials(text: string, path: string): Credentials {
  const value = parseObject(text);
  if (value === null) {
    throw createFailure(`The stored credentials are damaged: ${path}`, {
      hints: ['"courant logout" removes the file; then log in again.'],
    });
  }
  return toCredentials(value);
}
