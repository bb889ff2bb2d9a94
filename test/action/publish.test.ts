import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { startTestApi, type TestApi } from '../support/api.ts';
import { createRepository, type Repository } from './support/repository.ts';
import { type ActionRun, type Runner, startRunner } from './support/runner.ts';

const NO_COMMIT = '0'.repeat(40);

let api: TestApi;
let runner: Runner;
let repository: Repository;
let author: { id: string; token: string };
before(async () => {
  [api, runner] = await Promise.all([startTestApi(), startRunner()]);
});
beforeEach(async () => {
  repository = await createRepository();
  author = await api.createAuthor(`ann-${Math.random().toString(36).slice(2, 10)}`);
});
afterEach(() => repository.remove());
after(async () => {
  await runner.remove();
  await api.close();
});

const post = (title: string, more = '') =>
  `---\ntitle: ${JSON.stringify(title)}\n${more}---\n\nSome text of an article.\n`;

function run({ event, payload, inputs = {} }: ActionRun, { folder } = repository) {
  const access = { token: author.token, endpoint: `${api.url}/graphql` };
  return runner.publish(folder, { event, inputs: { ...access, ...inputs }, ...(payload ? { payload } : {}) });
}

function push(before: string, more: object = {}): ActionRun {
  return {
    event: 'push',
    payload: { before, ref: 'refs/heads/main', repository: { default_branch: 'main' }, ...more },
  };
}

/** What the server has, in the order in which it came. */
async function listArticles(): Promise<string[]> {
  const rows = api.db.selectFrom('articles').select(['title', 'status']).where('authorId', '=', author.id);
  return (await rows.orderBy('createdAt').orderBy('id').execute()).map(({ title, status }) => `${title} ${status}`);
}

test('a push publishes what it added and changed in the folder, and says where', async () => {
  const base = await repository.commit({ 'posts/old.md': post('Old'), 'posts/changed.md': post('Changed') });
  await repository.commit({
    'posts/changed.md': post('Changed', 'tags: [a]\n'),
    'posts/2026/deep.mdx': post('Deep'),
    'posts/notes.txt': 'Not an article.',
    'README.md': post('Not in the folder'),
  });
  const { code, log, outputs, summary, annotations } = await run(push(base));
  assert.equal(code, 0, log);
  assert.deepEqual(await listArticles(), ['Deep PUBLISHED', 'Changed PUBLISHED']);
  assert.equal(outputs.published, '2');
  const urls = JSON.parse(String(outputs.urls)) as string[];
  assert.deepEqual(
    urls.map((url) => new URL(url).pathname),
    ['/deep', '/changed'],
  );
  for (const url of urls) assert.ok(summary.includes(`](<${url}>)`), summary);
  assert.match(log, new RegExp(`Compared with ${base.slice(0, 10)}, where the branch was before this push\\.`));
  assert.deepEqual(
    annotations.filter(({ level }) => level === 'error'),
    [],
  );
  assert.ok(!log.includes(author.token) && !summary.includes(author.token));
});

test('a push of a merge publishes what the branch brought into its folder of a monorepo, by whatever names, and nothing beside it', async () => {
  await repository.commit({
    'packages/site/posts/old.md': post('Old'),
    'packages/other/posts/a.md': post('Elsewhere'),
  });
  await repository.git('checkout', '--quiet', '-b', 'change');
  const names = ['it\'s "new", 100%.md', 'über uns/日本 語.md', 'line\nbreak.md', '$(touch owned).md'];
  const files = names.map((name, at) => [`packages/site/posts/${name}`, post(`New ${at}`)]);
  await repository.commit({ ...Object.fromEntries(files), 'packages/other/posts/b.md': post('Not this') });
  await repository.git('checkout', '--quiet', 'main');
  const base = await repository.commit({ 'packages/site/posts/old.md': post('Old', 'tags: [before]\n') });
  await repository.git('merge', '--quiet', '--no-ff', '--message=Merge', 'change');
  const { code, log, outputs, annotations } = await run({ ...push(base), inputs: { folder: 'packages/site/posts' } });
  assert.equal(code, 0, log);
  assert.equal(outputs.published, '4');
  assert.deepEqual(
    (await listArticles()).sort(),
    ['0', '1', '2', '3'].map((n) => `New ${n} PUBLISHED`),
  );
  assert.ok(annotations.every(({ level }) => level !== 'error'));
  assert.equal(await repository.git('status', '--porcelain'), '', 'no name was run');
});

test('a second run of the same push updates and doubles nothing', async () => {
  const base = await repository.commit({ 'README.md': 'x' });
  await repository.commit({ 'posts/one.md': post('One') });
  await run(push(base));
  const { summary, outputs } = await run(push(base));
  assert.match(summary, /published, updated/);
  assert.equal(outputs.published, '1');
  assert.deepEqual(await listArticles(), ['One PUBLISHED']);
});

test('nothing is published where one file is invalid; each problem is annotated at its line', async () => {
  const base = await repository.commit({ 'README.md': 'x' });
  await repository.commit({
    'posts/a-good.md': post('Good'),
    'posts/b-bad.md': '---\ntitle: Bad\nscheduled_at: soon\ntags: { a: 1 }\n---\n\nText.\n',
    'posts/c-empty.md': '',
  });
  const { code, annotations, outputs, summary, log } = await run(push(base));
  assert.equal(code, 1, log);
  assert.deepEqual(await listArticles(), []);
  assert.deepEqual(outputs, { published: '0', urls: '[]' });
  const errors = annotations.filter(({ level }) => level === 'error');
  assert.deepEqual(errors.map(({ file, line }) => `${file}:${line ?? ''}`).sort(), [
    'posts/b-bad.md:3',
    'posts/b-bad.md:4',
    'posts/c-empty.md:',
  ]);
  assert.match(summary, /Nothing was published/);
  assert.match(summary, /a\\-good\\.md \| not published/);
  // The next push compares with this one, so what it leaves out has to be named.
  assert.match(log, /1 file of this run still to be published\..*workflow_dispatch/);
});

test('a file that may not be meant for the public stops the run before anything is published', async () => {
  const base = await repository.commit({ 'README.md': 'x' });
  await repository.commit({ 'posts/a.md': post('A'), 'posts/b.md': post('B', 'publish: false\n') });
  const { code, annotations } = await run(push(base));
  assert.equal(code, 1);
  assert.deepEqual(await listArticles(), []);
  const [error] = annotations.filter(({ level }) => level === 'error');
  assert.equal(`${error?.file}:${error?.line}`, 'posts/b.md:3');
  assert.match(String(error?.message), /status/);
});

test('the first push of the branch that is the default takes every file; of another, those since it left', async () => {
  await repository.commit({ 'posts/one.md': post('One'), 'posts/two.md': post('Two') });
  const first = await run(push(NO_COMMIT));
  assert.match(first.log, /first push of the branch: every file/);
  assert.deepEqual(await listArticles(), ['One PUBLISHED', 'Two PUBLISHED']);
  await repository.git('checkout', '--quiet', '-b', 'more');
  await repository.commit({ 'posts/three.md': post('Three') });
  const { log, outputs } = await run(push(NO_COMMIT, { ref: 'refs/heads/more' }));
  assert.match(log, /The branch is new: compared with .* where it left/);
  assert.equal(outputs.published, '1');
});

test('a clone of one commit fetches the commit before a forced push; one that is gone is named', async () => {
  await repository.commit({ 'posts/kept.md': post('Kept') });
  const before = await repository.commit({ 'posts/dropped.md': post('Dropped', 'tags: [gone]\n') });
  await repository.git('reset', '--quiet', '--hard', 'HEAD^');
  await repository.commit({ 'posts/new.md': post('New') });
  const clone = await repository.shallowClone('main');
  try {
    const forced = await run(push(before, { forced: true }), clone);
    assert.equal(forced.code, 0, forced.log);
    assert.match(forced.log, /before this forced push/);
    assert.deepEqual(await listArticles(), ['New PUBLISHED']);
    assert.match(forced.log, /deleted: posts\/dropped\.md/);
    const gone = await run(push('1234567890'.repeat(4), { forced: true }), clone);
    assert.equal(gone.code, 1);
    assert.match(
      String(gone.annotations[0]?.message),
      /The commit before this forced push \(1234567890.*fetch-depth: 0.*workflow_dispatch/,
    );
    assert.match(gone.summary, /^## Nothing was published/);
  } finally {
    await clone.remove();
  }
});

test('a renamed file stays its article; a deleted one leaves its article and says so', async () => {
  const start = await repository.commit({ 'README.md': 'x' });
  const base = await repository.commit({ 'posts/a.md': post('A'), 'posts/b.md': post('B') });
  await run(push(start));
  await repository.commit({ 'posts/a.md': null, 'posts/sub/a-new.md': post('A'), 'posts/b.md': null });
  const { code, outputs, annotations, summary } = await run(push(base));
  assert.equal(code, 0);
  assert.equal(outputs.published, '1');
  assert.deepEqual(await listArticles(), ['A PUBLISHED', 'B PUBLISHED']);
  const told = annotations.map(({ level, file, message }) => `${level} ${file} ${message}`);
  assert.ok(
    told.some((line) => line.startsWith('notice posts/sub/a-new.md Renamed from posts/a.md.')),
    told.join('\n'),
  );
  assert.ok(told.some((line) => line.startsWith('warning posts/b.md The file is gone, and its article stays')));
  assert.match(summary, /posts\\\/b\\\.md \| gone; its article stays/);
});

test('a tag, a deleted branch and a push without articles publish nothing and succeed', async () => {
  const base = await repository.commit({ 'posts/a.md': post('A') });
  for (const more of [{ ref: 'refs/tags/v1' }, { deleted: true }]) {
    const { code, log } = await run(push(NO_COMMIT, more));
    assert.equal(code, 0);
    assert.match(log, /nothing to publish/);
  }
  await repository.commit({ 'README.md': 'y' });
  const { code, summary } = await run(push(base));
  assert.equal(code, 0);
  assert.match(summary, /## Nothing to publish/);
  const misspelt = await run({ ...push(base), inputs: { folder: 'post' } });
  assert.match(String(misspelt.annotations[0]?.message), /There is no folder "post"/);
  assert.deepEqual(await listArticles(), []);
});

test('an event without a commit takes every file, "base" takes those since, and patterns leave files out', async () => {
  const base = await repository.commit({ '[my] posts/one.md': post('One'), 'm posts/other.md': post('Other') });
  await repository.commit({ '[my] posts/two.md': post('Two'), '[my] posts/README.md': post('Not this') });
  const inputs = { folder: './[my] posts/', files: '**/*.md\n!**/README.md' };
  assert.equal((await run({ event: 'schedule', inputs: { ...inputs, base } })).outputs.published, '1');
  const { outputs, log } = await run({ event: 'workflow_dispatch', inputs });
  assert.equal(outputs.published, '2', log);
  assert.deepEqual(await listArticles(), ['Two PUBLISHED', 'One PUBLISHED']);
});

test('a token that is refused stops the run and is never shown', async () => {
  const base = await repository.commit({ 'README.md': 'x' });
  await repository.commit({ 'posts/a.md': post('A'), 'posts/b.md': post('B') });
  const token = `courant_${'0123456789abcdef'.repeat(3)}`;
  const { code, log, summary } = await run({ ...push(base), inputs: { token } });
  assert.equal(code, 1);
  assert.match(log, /failed: posts\/a\.md/);
  assert.match(log, /not published: posts\/b\.md/);
  assert.match(log, /2 files of this run still to be published/);
  assert.ok(!(log + summary).includes(token.slice(8)));
});

test('every wrong input is said at once, before anything is done', async () => {
  await repository.commit({ 'posts/a.md': post('A') });
  const inputs = { folder: '../elsewhere', 'pull-request': 'publish', 'dry-run': 'yes', base: '--upload-pack=x' };
  const { code, annotations } = await run({ event: 'push', inputs });
  assert.equal(code, 1);
  const message = String(annotations[0]?.message);
  for (const name of ['folder', 'pull-request', 'dry-run', 'base']) assert.ok(message.includes(`"${name}"`), message);
  const access = await run({ ...push(NO_COMMIT), inputs: { token: '', endpoint: '' } });
  assert.match(String(access.annotations[0]?.message), /"token" is empty.*\n.*"endpoint" is empty/);
});

test('"dry-run" publishes nothing, whatever the event', async () => {
  await repository.commit({ 'posts/a.md': post('A') });
  const { code, summary } = await run({ ...push(NO_COMMIT), inputs: { 'dry-run': 'true', token: '' } });
  assert.equal(code, 0);
  assert.match(summary, /All files can be published/);
  assert.deepEqual(await listArticles(), []);
});

test('a pull request is checked without a token, against the target as it is now', async () => {
  const start = await repository.commit({ 'posts/old.md': post('Old') });
  await repository.git('checkout', '--quiet', '-b', 'change');
  const head = await repository.commit({ 'posts/new.md': post('New') });
  await repository.git('checkout', '--quiet', 'main');
  await repository.commit({ 'posts/of-others.md': post('Of others') });
  await repository.git('merge', '--quiet', '--no-ff', '--message=Merge', 'change');
  await repository.git('update-ref', 'refs/pull/1/merge', 'HEAD');
  const payload = { pull_request: { base: { sha: start }, head: { sha: head } } };
  const clone = await repository.shallowClone('refs/pull/1/merge');
  try {
    const { code, log } = await run(
      { event: 'pull_request', payload, inputs: { token: '', 'pull-request': 'draft' } },
      clone,
    );
    assert.equal(code, 0, log);
    assert.match(log, /a fork has no secrets/);
    assert.match(log, /checked: posts\/new\.md/);
    assert.doesNotMatch(log, /of-others/);
  } finally {
    await clone.remove();
  }
  // The head itself, where a workflow checks that out.
  const source = await repository.shallowClone('change');
  try {
    const { code, log } = await run({ event: 'pull_request', payload }, source);
    assert.equal(code, 0, log);
    assert.match(log, /checked: posts\/new\.md/);
    assert.doesNotMatch(log, /old\.md/);
  } finally {
    await source.remove();
  }
  assert.deepEqual(await listArticles(), []);
});

test('"pull-request: draft" saves new files as drafts, and takes no public article from its readers', async () => {
  const start = await repository.commit({ 'README.md': 'x' });
  const base = await repository.commit({ 'posts/public.md': post('Public') });
  await run(push(start));
  const head = await repository.commit({
    'posts/public.md': post('Public', 'tags: [a]\n'),
    'posts/new.md': post('New'),
  });
  const payload = { pull_request: { base: { sha: base }, head: { sha: head } } };
  const inputs = { 'pull-request': 'draft' };
  const { code, outputs, summary } = await run({ event: 'pull_request', payload, inputs });
  assert.equal(code, 0, summary);
  assert.equal(outputs.published, '1');
  assert.match(summary, /saved as DRAFT/);
  assert.deepEqual(await listArticles(), ['Public PUBLISHED', 'New DRAFT']);
  const foreign = await run({ event: 'pull_request_target', payload, inputs });
  assert.match(foreign.log, /they are checked, and nothing is published/);
});

test('names and titles are text: none is a command to the runner, and a link is not followed', async () => {
  const base = await repository.commit({ 'README.md': 'x' });
  const name = 'posts/-a,b:100%\n::error::owned ##[add-mask]$(id) `id`.md';
  await repository.commit({
    [name]: '---\ntitle: "::error::title"\nscheduled_at: "##[error]x"\n---\n\nText.\n',
    'posts/secret.md': { link: '/etc/passwd' },
  });
  const { code, annotations, summary, log } = await run(push(base));
  assert.equal(code, 1);
  const places = annotations.map(({ level, file, line }) => `${level} ${file} ${line ?? ''}`);
  assert.deepEqual(places.sort(), [`error ${name} 3`, 'error posts/secret.md ']);
  assert.doesNotMatch(log + summary, /root:/);
});
