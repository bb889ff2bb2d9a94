/**
 * Stores credentials on this machine, in one JSON file that only its owner may read. The file is replaced as a whole, so
 * that a full disk or a crash leaves the old one intact.
 */
import { chmod, readFile, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CliConfig } from '../config.ts';
import { createFailure, readSystemCode } from '../failure.ts';
import { makeFolder } from '../make-folder.ts';
import { replaceFile } from '../replace-file.ts';
import { parseObject } from '../server/json.ts';
import { explainUnstored, withLock } from './lock.ts';
import { type Credentials, toCredentials } from './stored-credentials.ts';

type Place = Pick<CliConfig, 'configFolder' | 'ownsConfigFolder'>;

export function getCredentialsPath(place: Place): string {
  return join(place.configFolder, 'credentials.json');
}

/** The stored credentials, or `{}` if there are none. Throws if the file cannot be read or parsed. */
export async function readCredentials(place: Place): Promise<Credentials> {
  const path = getCredentialsPath(place);
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

/** Replaces the file as a whole. The file gets mode 0600, a new folder 0700. */
export async function writeCredentials(place: Place, credentials: Credentials): Promise<string> {
  const path = getCredentialsPath(place);
  try {
    const isNew = await makeFolder(place.configFolder, 0o700);
    if (!isNew && place.ownsConfigFolder) await chmod(place.configFolder, 0o700);
    await replaceFile(await followLink(path), `${JSON.stringify(credentials, null, 2)}\n`);
    return path;
  } catch (error) {
    throw explainUnstored(path, error);
  }
}

/** Who keeps the settings of several machines in one folder has links to them, which stay. */
async function followLink(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (readSystemCode(error) !== 'ENOENT') throw error;
    return path;
  }
}

/** Changes what is stored while no other command does. Returns the path of the file. */
export function updateCredentials(
  place: Place,
  signal: AbortSignal,
  change: (stored: Credentials) => Credentials,
): Promise<string> {
  return withLock(place, signal, async () => writeCredentials(place, change(await readCredentials(place))));
}

/** Removes the file. Returns true if there was one. */
export async function clearCredentials(place: Place): Promise<boolean> {
  const path = getCredentialsPath(place);
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
export async function isReadableByOthers(place: Place): Promise<boolean> {
  if (process.platform === 'win32') return false;
  try {
    return ((await stat(getCredentialsPath(place))).mode & 0o077) !== 0;
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
