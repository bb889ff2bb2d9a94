/**
 * Finds the repository and path of a file. Reads only the file system, because results of git
 * depend on its installation and trust settings. Synchronous, which is faster for a few small
 * files.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { DocumentSource } from '../../article/types.ts';
import { isWithin } from '../path-within.ts';
import { findStats, isWorkTree, readOrNull, readRemote } from './git-folder.ts';
import { readRepositoryId, SETTINGS_FILE } from './settings-file.ts';

export interface LocatedSource extends DocumentSource {
  /** The folder that `path` is relative to. */
  root: string;
  /** Equal in all clones and worktrees: the last part of the remote, else the folder's name. */
  rootName: string;
  /** The absolute path, with links to the folder resolved, but not the file itself. */
  absolutePath: string;
}

/** Returns null for a pipe or a device. Throws if `courant.json` cannot be read. */
export function locateSource(file: string): LocatedSource | null {
  const absolutePath = resolveFile(file);
  if (absolutePath === null) return null;
  const folder = dirname(absolutePath);
  const workTree = findUp(folder, isWorkTree);
  const root = workTree ?? findUp(folder, hasSettings) ?? chooseRoot(folder);
  const remote = workTree === null ? null : readRemote(workTree);
  const path = relative(root, absolutePath).split(sep).join('/').normalize('NFC');
  const repository = remote ?? readRepositoryId(root);
  return { root, rootName: basename(remote ?? root), absolutePath, path, repository };
}

/** Resolves links to the folder, because `process.cwd()` is already resolved. */
function resolveFile(file: string): string | null {
  const path = resolve(file);
  if (/^\/(?:dev|proc)\//.test(path)) return null;
  if (!findStats(path)?.isFile()) return null;
  return readOrNull(() => join(realpathSync.native(dirname(path)), basename(path)));
}

/** The working directory if it contains the file, else the file's own folder. */
function chooseRoot(folder: string): string {
  return isWithin(process.cwd(), folder) ? process.cwd() : folder;
}

function hasSettings(folder: string): boolean {
  return findStats(join(folder, SETTINGS_FILE))?.isFile() === true;
}

function findUp(folder: string, isFound: (folder: string) => boolean): string | null {
  for (let current = folder; ; current = dirname(current)) {
    if (isFound(current)) return current;
    if (dirname(current) === current) return null;
  }
}
