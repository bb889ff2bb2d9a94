/** Publishing by push: the published files, the skipped files and the report of the run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_COMMIT, post, push, useAction } from './support/use-action.ts';

const action = useAction();

test('a push publishes the added and changed files of the folder and reports their addresses', async () => {
  const base = await action.repository.commit({ 'posts/old.md': post('Old'), 'posts/changed.md': post('Changed') });
  await action.repository.commit({
    'posts/changed.md': post('Changed', 'tags: [a]\n'),
    'posts/2026/deep.mdx': post('Deep'),
    'posts/notes.txt': 'Not an article.',
    'README.md': post('Not in the folder'),
  });
  const { code, log, outputs, summary, annotations } = await action.run(push(base));
  assert.equal(code, 0, log);
  assert.deepEqual(await action.listArticles(), ['Deep PUBLISHED', 'Changed PUBLISHED']);
  assert.equal(outputs.published, '2');
  const urls = JSON.parse(String(outputs.urls)) as string[];
  assert.deepEqual(
    urls.map((url) => new URL(url).pathname),
    ['/deep', '/changed'],
  );
  for (const url of urls) assert.ok(summary.includes(`](<${url}>)`), summary);
  assert.match(log, new RegExp(`Compared with ${base.slice(0, 10)}, the commit before this push\\.`));
  assert.deepEqual(
    annotations.filter(({ level }) => level === 'error'),
    [],
  );
  assert.ok(!log.includes(action.author.token) && !summary.includes(action.author.token));
});

test('a push of a merge publishes only the files of the branch in its folder of a monorepo, whatever their names', async () => {
  await action.repository.commit({
    'packages/site/posts/old.md': post('Old'),
    'packages/other/posts/a.md': post('Elsewhere'),
  });
  await action.repository.git('checkout', '--quiet', '-b', 'change');
  const names = ['it\'s "new", 100%.md', 'über uns/日本 語.md', 'line\nbreak.md', '$(touch owned).md'];
  const files = names.map((name, at) => [`packages/site/posts/${name}`, post(`New ${at}`)]);
  await action.repository.commit({ ...Object.fromEntries(files), 'packages/other/posts/b.md': post('Not this') });
  await action.repository.git('checkout', '--quiet', 'main');
  const base = await action.repository.commit({ 'packages/site/posts/old.md': post('Old', 'tags: [before]\n') });
  await action.repository.git('merge', '--quiet', '--no-ff', '--message=Merge', 'change');
  const { code, log, outputs, annotations } = await action.run({
    ...push(base),
    inputs: { folder: 'packages/site/posts' },
  });
  assert.equal(code, 0, log);
  assert.equal(outputs.published, '4');
  assert.deepEqual(
    (await action.listArticles()).sort(),
    ['0', '1', '2', '3'].map((n) => `New ${n} PUBLISHED`),
  );
  assert.ok(annotations.every(({ level }) => level !== 'error'));
  assert.equal(await action.repository.git('status', '--porcelain'), '', 'no name was run');
});

test('a second run of the same push updates articles and creates no duplicates', async () => {
  const base = await action.repository.commit({ 'README.md': 'x' });
  await action.repository.commit({ 'posts/one.md': post('One') });
  await action.run(push(base));
  const { summary, outputs } = await action.run(push(base));
  assert.match(summary, /published, updated/);
  assert.equal(outputs.published, '1');
  assert.deepEqual(await action.listArticles(), ['One PUBLISHED']);
});

test('nothing is published if one file is invalid; each problem is annotated at its line', async () => {
  const base = await action.repository.commit({ 'README.md': 'x' });
  await action.repository.commit({
    'posts/a-good.md': post('Good'),
    'posts/b-bad.md': '---\ntitle: Bad\nscheduled_at: soon\ntags: { a: 1 }\n---\n\nText.\n',
    'posts/c-empty.md': '',
  });
  const { code, annotations, outputs, summary, log } = await action.run(push(base));
  assert.equal(code, 1, log);
  assert.deepEqual(await action.listArticles(), []);
  assert.deepEqual(outputs, { published: '0', urls: '[]' });
  const errors = annotations.filter(({ level }) => level === 'error');
  assert.deepEqual(errors.map(({ file, line }) => `${file}:${line ?? ''}`).sort(), [
    'posts/b-bad.md:3',
    'posts/b-bad.md:4',
    'posts/c-empty.md:',
  ]);
  assert.match(summary, /Nothing was published/);
  assert.match(summary, /a\\-good\\.md \| not published/);
  // The next push compares with this commit, so the files that it skips must be named.
  assert.match(log, /1 file of this run not published\..*workflow_dispatch/);
});

test('a file that may not be meant for the public stops the run before anything is published', async () => {
  const base = await action.repository.commit({ 'README.md': 'x' });
  await action.repository.commit({ 'posts/a.md': post('A'), 'posts/b.md': post('B', 'publish: false\n') });
  const { code, annotations } = await action.run(push(base));
  assert.equal(code, 1);
  assert.deepEqual(await action.listArticles(), []);
  const [error] = annotations.filter(({ level }) => level === 'error');
  assert.equal(`${error?.file}:${error?.line}`, 'posts/b.md:3');
  assert.match(String(error?.message), /status/);
});

test('a renamed file remains the same article; a deleted file keeps its article, with a warning', async () => {
  const start = await action.repository.commit({ 'README.md': 'x' });
  const base = await action.repository.commit({ 'posts/a.md': post('A'), 'posts/b.md': post('B') });
  await action.run(push(start));
  await action.repository.commit({ 'posts/a.md': null, 'posts/sub/a-new.md': post('A'), 'posts/b.md': null });
  const { code, outputs, annotations, summary } = await action.run(push(base));
  assert.equal(code, 0);
  assert.equal(outputs.published, '1');
  assert.deepEqual(await action.listArticles(), ['A PUBLISHED', 'B PUBLISHED']);
  const messages = annotations.map(({ level, file, message }) => `${level} ${file} ${message}`);
  assert.ok(
    messages.some((line) => line.startsWith('notice posts/sub/a-new.md Renamed from posts/a.md.')),
    messages.join('\n'),
  );
  assert.ok(
    messages.some((line) => line.startsWith('warning posts/b.md The file was deleted. Its article is unchanged')),
  );
  assert.match(summary, /posts\\\/b\\\.md \| deleted; its article is unchanged/);
});

test('a tag, a deleted branch and a push without articles publish nothing and succeed', async () => {
  const base = await action.repository.commit({ 'posts/a.md': post('A') });
  for (const more of [{ ref: 'refs/tags/v1' }, { deleted: true }]) {
    const { code, log } = await action.run(push(NO_COMMIT, more));
    assert.equal(code, 0);
    assert.match(log, /nothing to publish/);
  }
  await action.repository.commit({ 'README.md': 'y' });
  const { code, summary } = await action.run(push(base));
  assert.equal(code, 0);
  assert.match(summary, /## Nothing to publish/);
  const misspelt = await action.run({ ...push(base), inputs: { folder: 'post' } });
  assert.match(String(misspelt.annotations[0]?.message), /There is no folder "post"/);
  assert.deepEqual(await action.listArticles(), []);
});

test('names and titles never become commands to the runner, and a link is not followed', async () => {
  const base = await action.repository.commit({ 'README.md': 'x' });
  const name = 'posts/-a,b:100%\n::error::owned ##[add-mask]$(id) `id`.md';
  await action.repository.commit({
    [name]: '---\ntitle: "::error::title"\nscheduled_at: "##[error]x"\n---\n\nText.\n',
    'posts/secret.md': { link: '/etc/passwd' },
  });
  const { code, annotations, summary, log } = await action.run(push(base));
  assert.equal(code, 1);
  const places = annotations.map(({ level, file, line }) => `${level} ${file} ${line ?? ''}`);
  assert.deepEqual(places.sort(), [`error ${name} 3`, 'error posts/secret.md ']);
  assert.doesNotMatch(log + summary, /root:/);
});

test('a picture that readers cannot load stops the run, with an error at its line', async () => {
  const base = await action.repository.commit({ 'README.md': 'x' });
  await action.repository.commit({
    'posts/broken.md': '---\ntitle: Broken\n---\n\n![A shelf](shelf.png)\n',
    'posts/whole.md': post('Whole'),
  });
  const { code, annotations, log } = await action.run(push(base));
  assert.equal(code, 1, log);
  const [error, ...others] = annotations.filter(({ level }) => level === 'error');
  assert.deepEqual([error?.file, error?.line, others], ['posts/broken.md', '5', []]);
  assert.match(error?.message ?? '', /^Picture "shelf\.png" will not load: readers cannot reach a local path/);
  assert.deepEqual(await action.listArticles(), []);
  const draft = '---\ntitle: Broken\ndraft: true\n---\n\n![A shelf](shelf.png)\n';
  await action.repository.commit({ 'posts/broken.md': draft });
  assert.equal((await action.run(push(base))).code, 0, 'a draft may wait for its picture');
});

test('two page bundles without a title are two articles on each run, and the checkout is not changed', async () => {
  const base = await action.repository.commit({ 'README.md': 'x' });
  await action.repository.commit({ 'posts/a/post/index.md': 'From a.\n', 'posts/b/post/index.md': 'From b.\n' });
  for (const run of ['first', 'second']) {
    const { code, log } = await action.run(push(base));
    assert.equal(code, 0, log);
    assert.deepEqual(await action.listArticles(), ['post PUBLISHED', 'post PUBLISHED'], run);
  }
  assert.equal(await action.repository.git('status', '--porcelain'), '');
});
