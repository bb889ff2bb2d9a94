/**
 * Finds the repository and path of a file. Reads only the file system, because results of git
 * depend on its installation and trust settings. Synchronous, which is faster for a few small
 * files.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { DocumentSource } from '../../article/types.ts';
import { findGitFolder, readRemote } from './git-folder.ts';
import { readRepositoryId, SETTINGS_FILE } from './settings-file.ts';

export interface LocatedSource extends DocumentSource {
  /** The folder that `path` is relative to. */
  root: string;
  /** Equal in all clones and worktrees: the last part of the remote, else the folder's name. */
  rootName: string;
}

/**
 * Returns null for a pipe or a device. Throws if `courant.json` cannot be read. The file must be
 * readable.
 */
export function locateSource(file: string): LocatedSource | null {
  if (/^\/(?:dev|proc)\//.test(resolve(file)) || !statSync(file).isFile()) return null;
  // Links to the folder are resolved, because `process.cwd()` is too.
  const folder = realpathSync.native(dirname(resolve(file)));
  const workTree = findUp(folder, (candidate) => findGitFolder(candidate) !== null);
  const gitFolder = workTree === null ? null : findGitFolder(workTree);
  const root =
    workTree ?? findUp(folder, (candidate) => existsSync(join(candidate, SETTINGS_FILE))) ?? chooseRoot(folder);
  const remote = gitFolder === null ? null : readRemote(gitFolder);
  const path = relative(root, join(folder, basename(file)))
    .split(sep)
    .join('/')
    .normalize('NFC');
  return { root, rootName: basename(remote ?? root), path, repository: remote ?? readRepositoryId(root) };
}

/** The working directory if it contains the file, else the file's own folder. */
function chooseRoot(folder: string): string {
  // On Windows, `relative` returns an absolute path if the drives differ.
  const path = relative(process.cwd(), folder);
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? folder : process.cwd();
}

function findUp(folder: string, isFound: (folder: string) => boolean): string | null {
  if (isFound(folder)) return folder;
  return dirname(folder) === folder ? null : findUp(dirname(folder), isFound);
}
