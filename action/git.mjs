/** Runs git in the repository that was checked out. */
import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { promisify } from 'node:util';
import { Failure } from './failure.mjs';

/** @typedef {(...args: string[]) => Promise<string>} Git answers what git printed; rejects where it failed */

/** A fetch of a whole history takes minutes; one that hangs must not hold the job for hours. */
const PATIENCE_MS = 10 * 60_000;

/**
 * @param {string} folder
 * @returns {Promise<Git>}
 */
export async function openRepository(folder) {
  const run = promisify(execFile);
  /** @type {Git} */
  const git = async (...args) => {
    // In a container the files are another user's, and git wants to be told that this is meant.
    const { stdout } = await run('git', ['-c', `safe.directory=${folder}`, ...args], {
      ...{ cwd: folder, encoding: 'utf8', timeout: PATIENCE_MS, maxBuffer: 256 * 1024 * 1024 },
      env: { ...process.env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
    });
    return stdout;
  };
  const root = await git('rev-parse', '--show-toplevel').catch((error) => {
    if (error.code === 'ENOENT') throw new Failure('There is no git on this runner; install it before this step.');
    return '';
  });
  if (root === '' || realpathSync(root.trimEnd()) !== realpathSync(folder)) {
    throw new Failure(`${folder} is not the root of a repository. Put a step with actions/checkout before this one.`);
  }
  return git;
}

/**
 * @param {Git} git
 * @param {string} name a commit, branch or tag
 * @returns {Promise<string | null>} the commit, or null where this clone does not have it
 */
export async function findCommit(git, name) {
  return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`).then(
    (sha) => sha.trim(),
    () => null,
  );
}

/**
 * @param {Git} git
 * @returns {Promise<boolean>} whether older commits are missing, as after actions/checkout with its own settings
 */
export async function isShallow(git) {
  return (await git('rev-parse', '--is-shallow-repository')).trim() === 'true';
}

/**
 * Like `findCommit`, and asks the server where the clone does not have it: for the one commit where the clone is shallow.
 *
 * @param {Git} git
 * @param {string} name
 * @returns {Promise<string | null>}
 */
export async function fetchCommit(git, name) {
  const here = await findCommit(git, name);
  if (here !== null) return here;
  const depth = (await isShallow(git)) ? ['--depth=1'] : [];
  return git('fetch', '--quiet', '--no-tags', ...depth, '--', 'origin', name).then(
    () => findCommit(git, 'FETCH_HEAD'),
    () => null,
  );
}

/**
 * @param {Git} git
 * @param {string} commit
 * @returns {Promise<string | null>} where HEAD left the history of the commit, or null where they have none in common
 */
export async function findMergeBase(git, commit) {
  const find = () =>
    git('merge-base', commit, 'HEAD').then(
      (sha) => sha.trim(),
      () => null,
    );
  const found = await find();
  if (found !== null || !(await isShallow(git))) return found;
  // The history in between is not here, and nobody knows how long it is.
  return git('fetch', '--quiet', '--no-tags', '--unshallow', 'origin', commit).then(find, () => null);
}

/**
 * The parents as the commit names them: a shallow clone hides them from `rev-parse`.
 *
 * @param {Git} git
 * @returns {Promise<string[]>}
 */
export async function readParents(git) {
  const [head = ''] = (await git('cat-file', 'commit', 'HEAD')).split('\n\n', 1);
  return [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, sha]) => String(sha));
}
