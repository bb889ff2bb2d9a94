/** Reads a Git work tree without git. In worktrees and submodules, `.git` is a file. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { normaliseRepository } from '../../article/identity/repository.ts';

/** Returns null if the folder is no work tree. Git recognises its folder only if it contains HEAD. */
export function findGitFolder(workTree: string): string | null {
  const path = join(workTree, '.git');
  const text = readText(path);
  const target = text === null ? path : /^gitdir: (.+?)\s*$/.exec(text)?.[1];
  const folder = target === undefined ? null : resolve(workTree, target);
  return folder !== null && existsSync(join(folder, 'HEAD')) ? folder : null;
}

/**
 * Returns the normalised URL of `origin`, else of the first remote; null without a named remote.
 */
export function readRemote(gitFolder: string): string | null {
  // In a worktree, `commondir` contains the path of the folder with the repository's config.
  const common = readText(join(gitFolder, 'commondir'))?.trim() ?? '';
  const remotes = listRemotes(readText(join(resolve(gitFolder, common), 'config')) ?? '');
  const remote = remotes.find(({ name }) => name === 'origin') ?? remotes[0];
  return remote === undefined ? null : normaliseRepository(remote.url);
}

/** The first `url` of each remote, in order, as git writes them. */
export function listRemotes(config: string): { name: string; url: string }[] {
  return config.split(/^\s*\[/m).flatMap((section) => {
    const name = /^remote\s+"(.*)"\s*\]/i.exec(section)?.[1];
    const url = /^\s*url\s*=\s*"?(.*?)"?\s*$/im.exec(section)?.[1];
    return name === undefined || url === undefined ? [] : [{ name, url }];
  });
}

/** Returns null if the path is not a readable file. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
