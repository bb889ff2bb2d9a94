/** Reads a Git work tree without git. In worktrees and submodules, `.git` is a file. */
import { readFileSync, type Stats, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { normaliseRepository } from '../../article/identity/repository.ts';
import { readSystemCode } from '../failure.ts';

export function isWorkTree(folder: string): boolean {
  return findGitFolder(folder) !== null;
}

/**
 * Returns the normalised URL of `origin`, else of the first remote; null without a named remote.
 */
export function readRemote(workTree: string): string | null {
  const gitFolder = findGitFolder(workTree);
  if (gitFolder === null) return null;
  // In a worktree, `commondir` contains the path of the folder with the repository's config.
  const common = readFileText(join(gitFolder, 'commondir'));
  const config = readFileText(join(common === null ? gitFolder : resolve(gitFolder, common.trim()), 'config'));
  const remotes = config === null ? [] : listRemotes(config);
  const remote = remotes.find(({ name }) => name === 'origin') ?? remotes[0];
  return remote === undefined ? null : normaliseRepository(remote.url);
}

/** Git recognises a folder only if it contains HEAD. */
function findGitFolder(workTree: string): string | null {
  const path = join(workTree, '.git');
  const found = findStats(path);
  if (found === null) return null;
  const [, target] = found.isFile() ? (/^gitdir: (.+?)\s*$/.exec(readFileText(path) ?? '') ?? []) : [null, '.git'];
  if (target === undefined) return null;
  const folder = resolve(workTree, target);
  return findStats(join(folder, 'HEAD')) === null ? null : folder;
}

interface Remote {
  name: string;
  url: string;
}

const SECTION = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*/;

/** The first `url` of each remote, in order; in the format of git-config(1), without includes. */
export function listRemotes(config: string): Remote[] {
  const remotes: Remote[] = [];
  let name: string | null = null;
  for (const line of config.replace(/\\\r?\n/g, '').split(/\r?\n/)) {
    const section = SECTION.exec(line);
    if (section !== null)
      name = section[1]?.toLowerCase() === 'remote' ? (section[2] ?? '').replace(/\\(.)/g, '$1') : null;
    const setting = /^\s*url\s*=\s*(.*)$/i.exec(line.slice(section?.[0].length ?? 0));
    if (name === null || setting === null || remotes.some((remote) => remote.name === name)) continue;
    remotes.push({ name, url: readValue(setting[1] ?? '') });
  }
  return remotes;
}

/** Removes quotes, escapes and a trailing comment. */
function readValue(text: string): string {
  const parts = text.match(/"(?:[^"\\]|\\.)*"|\\.|[^"\\#;]+|[#;].*/g) ?? [];
  return parts
    .filter((part) => !/^[#;]/.test(part))
    .map((part) => part.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1'))
    .join('')
    .trim();
}

/** Returns null if the path does not exist or cannot be read. */
export function findStats(path: string): Stats | null {
  return readOrNull(() => statSync(path));
}

function readFileText(path: string): string | null {
  return readOrNull(() => readFileSync(path, 'utf8'));
}

/** Returns null after a file system error. */
export function readOrNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (readSystemCode(error) === undefined) throw error;
    return null;
  }
}
