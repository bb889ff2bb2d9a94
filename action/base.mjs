/** Finds the commit that the files are compared with. Fetches it if the clone does not have it. */
import { Failure } from './failure.mjs';
import { fetchCommit, findMergeBase, readParents } from './git.mjs';

/** @typedef {import('./git.mjs').Git} Git */
/** @typedef {import('./plan.mjs').GitHubEvent} GitHubEvent */

/**
 * @typedef {object} Base
 * @property {string | null} base null selects every file of the folder
 * @property {string} reason
 * @property {true} [isNothing] the event changes no file
 */

/** @type {(event: GitHubEvent, git: Git) => Promise<Base>} */
export async function findBase({ name, payload }, git) {
  if (name === 'push') return findBaseOfPush(payload, git);
  if (name === 'pull_request' || name === 'pull_request_target') return findBaseOfPullRequest(payload, git);
  if (name === 'merge_group') {
    const base = await requireCommit(git, payload.merge_group?.base_sha, 'the base of the merge group');
    return { base, reason: `Compared with ${short(base)}, the base of the merge group.` };
  }
  return {
    base: null,
    reason: `The event "${name}" has no commit to compare with: every file of the folder is included.`,
  };
}

/** @type {(payload: any, git: Git) => Promise<Base>} */
async function findBaseOfPush({ ref = '', before = '', deleted = false, forced = false, repository = {} }, git) {
  if (deleted) return { base: null, reason: 'The branch was deleted: nothing to publish.', isNothing: true };
  if (ref.startsWith('refs/tags/')) {
    return { base: null, reason: 'A tag changes no file: nothing to publish.', isNothing: true };
  }
  if (!/^0*$/.test(before)) {
    const description = forced ? 'the commit before this forced push' : 'the commit before this push';
    const base = await requireCommit(git, before, description);
    return { base, reason: `Compared with ${short(base)}, ${description}.` };
  }
  const { default_branch: main = '' } = repository;
  if (main === '' || ref === `refs/heads/${main}`) {
    return { base: null, reason: 'This is the first push of the branch: every file of the folder is included.' };
  }
  const base = await requireMergeBase(
    git,
    await requireCommit(git, main, `the branch "${main}"`),
    `the branch "${main}"`,
  );
  return { base, reason: `The branch is new: compared with ${short(base)}, where it branched from "${main}".` };
}

/** @type {(payload: any, git: Git) => Promise<Base>} */
async function findBaseOfPullRequest({ pull_request: request = {} }, git) {
  const [target, source] = await readParents(git);
  // actions/checkout checks out a merge into the current target branch, which may be newer than the
  // event.
  if (target !== undefined && source !== undefined && source === request.head?.sha) {
    const base = await requireCommit(git, target, 'the target of this pull request');
    return { base, reason: `Compared with ${short(base)}, the target of this pull request.` };
  }
  const description = 'the target of this pull request';
  const base = await requireMergeBase(git, await requireCommit(git, request.base?.sha, description), description);
  return { base, reason: `Compared with ${short(base)}, the start of this pull request.` };
}

/**
 * The error message uses the description.
 *
 * @type {(git: Git, name: unknown, description: string) => Promise<string>}
 */
export async function requireCommit(git, name, description) {
  const commit = typeof name === 'string' && name !== '' ? await fetchCommit(git, name) : null;
  if (commit !== null) return commit;
  throw new Failure(
    `${capitalise(description)} (${String(name)}) is not in this clone and cannot be fetched, so the changed files are ` +
      'unknown. Nothing was published. Set "fetch-depth: 0" for actions/checkout. If the commit no longer exists, run the workflow ' +
      'manually (workflow_dispatch), which includes every file of the folder, or set the input "base" to a commit.',
  );
}

/** @type {(git: Git, commit: string, description: string) => Promise<string>} */
async function requireMergeBase(git, commit, description) {
  const base = await findMergeBase(git, commit);
  if (base !== null) return base;
  throw new Failure(
    `This commit and ${description} have no common history, so the changed files are unknown. Nothing was published. ` +
      'Set "fetch-depth: 0" for actions/checkout, or set the input "base" to a commit.',
  );
}

/** @param {string} sha */
const short = (sha) => sha.slice(0, 10);

/** @param {string} text */
const capitalise = (text) => text.charAt(0).toUpperCase() + text.slice(1);
