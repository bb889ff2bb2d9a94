/**
 * Real git repositories in a temporary folder: one that receives pushes, and clones like those of
 * actions/checkout.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Ignores the developer's own settings, and allows commits without them. */
const ENV = {
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  ...{ GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@example.org' },
  ...{ GIT_COMMITTER_NAME: 'Ann', GIT_COMMITTER_EMAIL: 'ann@example.org' },
};

/** The content of a file, or the target of a link; null removes the file. */
export type Content = string | { link: string } | null;

export interface Repository {
  folder: string;
  git(...args: string[]): Promise<string>;
  /** Writes the files, commits them, and returns the commit. */
  commit(files: Record<string, Content>): Promise<string>;
  /** Creates another clone of a branch or ref with the default depth of `actions/checkout`. */
  shallowClone(ref: string): Promise<Repository>;
  remove(): Promise<void>;
}

export async function createRepository(): Promise<Repository> {
  const folder = await mkdtemp(join(tmpdir(), 'courant-repository-'));
  const repository = openRepository(folder);
  await repository.git('init', '--quiet', '--initial-branch=main');
  return repository;
}

function openRepository(folder: string): Repository {
  const git = async (...args: string[]) => (await run('git', args, { cwd: folder, env: ENV })).stdout.trim();
  return {
    folder,
    git,
    async commit(files) {
      for (const [name, content] of Object.entries(files)) await place(join(folder, name), content);
      await git('add', '--all');
      await git('commit', '--quiet', '--message=A change');
      return git('rev-parse', 'HEAD');
    },
    async shallowClone(ref) {
      const clone = openRepository(await mkdtemp(join(tmpdir(), 'courant-clone-')));
      await clone.git('init', '--quiet');
      await clone.git('remote', 'add', 'origin', `file://${folder}`);
      await clone.git('fetch', '--quiet', '--no-tags', '--depth=1', 'origin', ref);
      await clone.git('checkout', '--quiet', '--detach', 'FETCH_HEAD');
      return clone;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function place(path: string, content: Content): Promise<void> {
  if (content === null) return rm(path);
  await mkdir(dirname(path), { recursive: true });
  if (typeof content === 'string') await writeFile(path, content);
  else await symlink(content.link, path);
}
