/** Runs git in the repository of the workspace. */
import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { promisify } from 'node:util';
import { Failure } from './failure.mjs';

/** @typedef {(...args: string[]) => Promise<string>} Git resolves to its stdout */

/** Fetching a full history takes minutes. A fetch that hangs would block the job for hours. */
const GIT_TIMEOUT_MS = 10 * 60_000;

/** @type {(folder: string) => Promise<Git>} */
export async function openRepository(folder) {
  const run = promisify(execFile);
  /** @type {Git} */
  const git = async (...args) => {
    // In a container another user owns the files; git requires `safe.directory` then.
    const { stdout } = await run('git', ['-c', `safe.directory=${folder}`, ...args], {
      ...{ cwd: folder, encoding: 'utf8', timeout: GIT_TIMEOUT_MS, maxBuffer: 256 * 1024 * 1024 },
      env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
    });
    return stdout;
  };
  const root = await git('rev-parse', '--show-toplevel').catch((error) => {
    if (error.code === 'ENOENT') throw new Failure('git is not installed on this runner. Install it before this step.');
    return '';
  });
  if (root === '' || realpathSync(root.trimEnd()) !== realpathSync(folder)) {
    throw new Failure(`${folder} is not the root of a repository. Add a step with actions/checkout before this step.`);
  }
  return git;
}

/**
 * Returns the commit of a commit, branch or tag; null if this clone does not have it.
 *
 * @type {(git: Git, name: string) => Promise<string | null>}
 */
export async function findCommit(git, name) {
  return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`).then(
    (sha) => sha.trim(),
    () => null,
  );
}

/**
 * Whether older commits are missing (the default of actions/checkout).
 *
 * @type {(git: Git) => Promise<boolean>}
 */
export async function isShallow(git) {
  return (await git('rev-parse', '--is-shallow-repository')).trim() === 'true';
}

/**
 * Like `findCommit`, but fetches a missing commit from the server. A shallow clone fetches only
 * that commit.
 *
 * @type {(git: Git, name: string) => Promise<string | null>}
 */
export async function fetchCommit(git, name) {
  const local = await findCommit(git, name);
  if (local !== null) return local;
  const depth = (await isShallow(git)) ? ['--depth=1'] : [];
  return git('fetch', '--quiet', '--no-tags', ...depth, '--', 'origin', name).then(
    () => findCommit(git, 'FETCH_HEAD'),
    () => null,
  );
}

/**
 * Returns the merge base with HEAD; null if there is none.
 *
 * @type {(git: Git, commit: string) => Promise<string | null>}
 */
export async function findMergeBase(git, commit) {
  const find = () =>
    git('merge-base', commit, 'HEAD').then(
      (sha) => sha.trim(),
      () => null,
    );
  const found = await find();
  if (found !== null || !(await isShallow(git))) return found;
  // The clone lacks the history in between, and its length is unknown.
  return git('fetch', '--quiet', '--no-tags', '--unshallow', 'origin', commit).then(find, () => null);
}

/**
 * Reads the parents from the commit object: in a shallow clone `rev-parse` does not see them.
 *
 * @type {(git: Git) => Promise<string[]>}
 */
export async function readParents(git) {
  const [head = ''] = (await git('cat-file', 'commit', 'HEAD')).split('\n\n', 1);
  return [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, sha]) => String(sha));
}
