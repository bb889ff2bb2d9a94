/** The decisions of the Action before it publishes: inputs, mode, base and changed files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listChanges } from '../../action/changes.mjs';
import { consumeInputs } from '../../action/inputs.mjs';
import { createPlan } from '../../action/plan.mjs';

const INPUTS = { FILES: '**/*.md', TOKEN: ' t ', ENDPOINT: 'https://a.io/graphql' };
const read = (inputs: Record<string, string> = {}) =>
  consumeInputs(
    Object.fromEntries(Object.entries({ ...INPUTS, ...inputs }).map(([name, value]) => [`INPUT_${name}`, value])),
  );

test('inputs are trimmed, and the token is removed from the environment', () => {
  const env = {
    INPUT_TOKEN: ' t ',
    INPUT_FILES: ' **/*.md \n\n !drafts/** ',
    INPUT_BASE: ' main ',
    INPUT_DRY_RUN: 'true',
  };
  assert.deepEqual(consumeInputs(env), {
    ...{ token: 't', endpoint: '', folder: '', files: ['**/*.md', '!drafts/**'], base: 'main', dryRun: true },
    pullRequest: 'check',
  });
  assert.equal('INPUT_TOKEN' in env, false);
  assert.deepEqual([read({ PULL_REQUEST: 'draft' }).pullRequest, read({ DRY_RUN: 'false' }).dryRun], ['draft', false]);
});

test('a folder is relative to the repository, without outer slashes', () => {
  for (const [FOLDER, folder] of [
    ['.', ''],
    ['./', ''],
    ['.//.//posts//', 'posts'],
    ['a/b', 'a/b'],
    ['.hidden', '.hidden'],
    ['a..b', 'a..b'],
  ] as const) {
    assert.equal(read({ FOLDER }).folder, folder, FOLDER);
  }
});

test('all invalid inputs are named with the values that are accepted', () => {
  const problems = (inputs: Record<string, string>) => {
    try {
      read(inputs);
    } catch (error) {
      return (error as Error).message.split('\n');
    }
    return [];
  };
  for (const FOLDER of ['/posts', 'c:posts', 'a\\b', '..', 'a/..', '../a', 'a/../b']) {
    assert.deepEqual(problems({ FOLDER }), [
      `The input "folder" is "${FOLDER}"; it must be a folder inside the repository, with "/" between its parts.`,
    ]);
  }
  assert.deepEqual(problems({ BASE: '-x', FILES: '!a.md', PULL_REQUEST: 'publish', DRY_RUN: 'yes' }), [
    'The input "base" is "-x"; it must be a commit, a branch or a tag.',
    'The input "files" selects no file to publish.',
    'The input "pull-request" is "publish"; it must be "check" or "draft".',
    'The input "dry-run" is "yes"; it must be "false" or "true".',
  ]);
  assert.deepEqual(problems({ FILES: ' ' }), ['The input "files" selects no file to publish.']);
});

const [SHA, OTHER, BASE] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(40)];
/** A repository that knows these commits by name, and answers other commands by their first words. */
function createGit(commits: Record<string, string>, answers: Record<string, string> = {}) {
  const calls: string[] = [];
  const git = async (...args: string[]) => {
    const call = args.join(' ');
    calls.push(call);
    const name = /^rev-parse --verify .* (\S+)\^\{commit\}$/.exec(call)?.[1];
    const answer =
      name === undefined ? Object.entries(answers).find(([start]) => call.startsWith(start))?.[1] : commits[name];
    if (answer === undefined) throw new Error(call);
    return `${answer}\n`;
  };
  return { git, calls };
}
const plan = (
  name: string,
  payload: object,
  git: ReturnType<typeof createGit>['git'],
  inputs: Record<string, string> = {},
) => createPlan({ name, payload }, read(inputs), git);
const { git } = createGit({ [SHA]: SHA, main: OTHER }, { 'merge-base': BASE });

test('a push is compared with the commit before it, or with the start of its branch', async () => {
  const push = { ref: 'refs/heads/main', before: SHA, repository: { default_branch: 'main' } };
  const compared = `Compared with ${SHA.slice(0, 10)}, the commit before this push.`;
  assert.deepEqual(await plan('push', push, git), { mode: 'publish', base: SHA, reasons: [compared] });
  const forced = await plan('push', { ...push, forced: true }, git);
  assert.deepEqual(forced.reasons, [`Compared with ${SHA.slice(0, 10)}, the commit before this forced push.`]);
  const nothing = (reason: string) => ({ mode: 'nothing', base: null, reasons: [reason] });
  assert.deepEqual(
    await plan('push', { ...push, deleted: true }, git),
    nothing('The branch was deleted: nothing to publish.'),
  );
  assert.deepEqual(
    await plan('push', { ...push, ref: 'refs/tags/v1' }, git),
    nothing('A tag changes no file: nothing to publish.'),
  );
  const first = {
    mode: 'publish',
    base: null,
    reasons: ['This is the first push of the branch: every file of the folder is included.'],
  };
  const before = '0'.repeat(40);
  assert.deepEqual(await plan('push', { ...push, before }, git), first);
  assert.deepEqual(await plan('push', { ref: 'refs/heads/x' }, git), first);
  assert.deepEqual(await plan('push', { ...push, before, ref: 'refs/heads/x' }, git), {
    ...{ mode: 'publish', base: BASE },
    reasons: [`The branch is new: compared with ${BASE.slice(0, 10)}, where it branched from "main".`],
  });
});

test('other events publish every file; the inputs "base" and "dry-run" take precedence', async () => {
  assert.deepEqual(await plan('schedule', {}, git), {
    ...{ mode: 'publish', base: null },
    reasons: ['The event "schedule" has no commit to compare with: every file of the folder is included.'],
  });
  assert.deepEqual(await plan('schedule', {}, git, { BASE: 'main', DRY_RUN: 'true' }), {
    ...{ mode: 'check', base: OTHER },
    reasons: ['The input "dry-run" is "true": nothing is published.', 'Compared with main, set by the input "base".'],
  });
});

test('changes that are not merged are checked, or saved as drafts of their own pull request', async () => {
  const merge = { pull_request: { head: { sha: OTHER }, base: { sha: SHA } } };
  const parents = (...commits: string[]) =>
    createGit(
      { [SHA]: SHA, [OTHER]: OTHER },
      {
        'cat-file': `tree x\n${commits.map((sha) => `parent ${sha}`).join('\n')}\n\nparent ${BASE}`,
        'merge-base': BASE,
      },
    ).git;
  const checked = 'The changes are not merged: they are checked only, and nothing is published.';
  const target = `Compared with ${SHA.slice(0, 10)}, the target of this pull request.`;
  const start = `Compared with ${BASE.slice(0, 10)}, the start of this pull request.`;
  for (const name of ['pull_request', 'pull_request_target']) {
    assert.deepEqual(await plan(name, merge, parents(SHA, OTHER)), {
      mode: 'check',
      base: SHA,
      reasons: [checked, target],
    });
  }
  // Not a merge of this pull request.
  for (const commits of [[], [SHA], [SHA, BASE]]) {
    assert.deepEqual((await plan('pull_request', merge, parents(...commits))).reasons, [checked, start]);
  }
  const draft = { PULL_REQUEST: 'draft' };
  const saved = await plan('pull_request', merge, parents(SHA, OTHER), draft);
  assert.deepEqual(saved, {
    mode: 'draft',
    base: SHA,
    reasons: ['Files that are new in this pull request are saved as drafts.', target],
  });
  assert.equal((await plan('pull_request_target', merge, parents(SHA, OTHER), draft)).mode, 'check');
  const fork = await plan('pull_request', merge, parents(SHA, OTHER), { ...draft, TOKEN: '' });
  const reason = 'There is no token (a fork has no secrets): the files are checked, and no draft is saved.';
  assert.deepEqual(fork, { mode: 'check', base: SHA, reasons: [reason, target] });
  assert.deepEqual(await plan('merge_group', { merge_group: { base_sha: SHA } }, git), {
    ...{ mode: 'check', base: SHA },
    reasons: [checked, `Compared with ${SHA.slice(0, 10)}, the base of the merge group.`],
  });
});

test('a commit that is missing is fetched, in a shallow clone without its history', async () => {
  for (const [isShallow, fetch] of [
    ['true', `fetch --quiet --no-tags --depth=1 -- origin ${SHA}`],
    ['false', `fetch --quiet --no-tags -- origin ${SHA}`],
  ] as const) {
    const clone = createGit({ FETCH_HEAD: SHA }, { 'rev-parse --is-shallow': isShallow, fetch: '' });
    assert.equal((await plan('push', { before: SHA }, clone.git)).base, SHA);
    assert.ok(clone.calls.includes(fetch), clone.calls.join('\n'));
  }
  const shallow = createGit({ main: OTHER }, { 'rev-parse --is-shallow': 'true', fetch: '' });
  const branch = { ref: 'refs/heads/x', repository: { default_branch: 'main' } };
  await assert.rejects(plan('push', branch, shallow.git), {
    message:
      'This commit and the branch "main" have no common history, so the changed files are unknown. Nothing was published. Set "fetch-depth: 0" for actions/checkout, or set the input "base" to a commit.',
  });
  assert.ok(shallow.calls.includes(`fetch --quiet --no-tags --unshallow origin ${OTHER}`));
  const complete = createGit({ main: OTHER }, { 'rev-parse --is-shallow': 'false', fetch: '' });
  await assert.rejects(plan('push', branch, complete.git), /no common history/);
  assert.ok(!complete.calls.some((call) => call.startsWith('fetch')));
});

test('a commit that cannot be fetched ends the run with the next step', async () => {
  const empty = createGit({}, { 'rev-parse --is-shallow': 'false' });
  const advice =
    'is not in this clone and cannot be fetched, so the changed files are unknown. Nothing was published. Set "fetch-depth: 0" for actions/checkout. If the commit no longer exists, run the workflow manually (workflow_dispatch), which includes every file of the folder, or set the input "base" to a commit.';
  await assert.rejects(plan('push', { before: SHA }, empty.git), {
    message: `The commit before this push (${SHA}) ${advice}`,
  });
  await assert.rejects(plan('merge_group', {}, empty.git), {
    message: `The base of the merge group (undefined) ${advice}`,
  });
  await assert.rejects(plan('x', {}, empty.git, { BASE: 'y' }), { message: `The input "base" (y) ${advice}` });
});

test('changes are read by their status and sorted by name; the folder is literal, patterns are not', async () => {
  const fields = [
    [':100644 100644 a b M', 'z.md'],
    [':000000 100644 a b A', 'b.md'],
    [':100644 000000 a b D', 'c.md'],
    [':100644 100644 a b R095', 'old.md', 'a.md'],
    [':000000 120000 a b A', 'link.md'],
    [':000000 160000 a b A', 'module'],
    [':100644 100644 a b T', 'type.md'],
  ];
  const raw = createGit({}, { 'diff-tree': fields.flat().concat('').join('\0'), 'hash-object': 'EMPTY' });
  const inputs = { folder: '[x]*', files: ['**/*.md', '!drafts/**'] };
  assert.deepEqual(await listChanges(raw.git, SHA, inputs), [
    { file: 'a.md', kind: 'renamed', isLink: false, from: 'old.md' },
    { file: 'b.md', kind: 'added', isLink: false },
    { file: 'c.md', kind: 'deleted', isLink: false },
    { file: 'link.md', kind: 'added', isLink: true },
    { file: 'module', kind: 'added', isLink: true },
    { file: 'type.md', kind: 'changed', isLink: false },
    { file: 'z.md', kind: 'changed', isLink: false },
  ]);
  await listChanges(raw.git, null, { folder: '', files: ['a.md'] });
  assert.deepEqual(raw.calls, [
    `diff-tree -r -z --raw --find-renames=90% ${SHA} HEAD -- :(top,glob)\\[x\\]\\*/**/*.md :(top,glob,exclude)\\[x\\]\\*/drafts/**`,
    'hash-object -t tree /dev/null',
    'diff-tree -r -z --raw --find-renames=90% EMPTY HEAD -- :(top,glob)a.md',
  ]);
});
