/** Publishes files without a title with the built command line to a real API. */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { type CliHome, createCliHome } from '../cli-home.ts';

let api: TestApi;
let home: CliHome;
let author: TestAuthor;
before(async () => {
  api = await startTestApi();
});
beforeEach(async () => {
  home = await createCliHome();
  author = await api.createAuthor(`ann-${Math.random().toString(36).slice(2, 10)}`);
});
afterEach(() => home.remove());
after(() => api.close());

async function write(name: string, content: string): Promise<void> {
  const path = join(home.folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

const publish = (...args: string[]) =>
  home.run(['publish', ...args], {
    env: { SERVICE_TOKEN: author.token, COURANT_ENDPOINT: `${api.url}/graphql` },
  });

const listArticles = () =>
  api.db
    .selectFrom('articles')
    .select(['slug', 'title', 'sourceRepository', 'sourcePath', 'revision'])
    .where('authorId', '=', author.id)
    .orderBy('createdAt')
    .orderBy('slug')
    .execute();

test('page bundles without a title are separate articles named after their folders, on every run', async () => {
  await write('a/post/index.md', '# From a\n');
  await write('b/post/index.md', '# From b\n');
  for (const verb of ['created', 'updated']) {
    const { code, stdout, stderr } = await publish('a/post/index.md', 'b/post/index.md');
    assert.equal(code, 0, stderr);
    assert.equal(stdout.match(new RegExp(` ${verb} `, 'g'))?.length, 2, stdout);
    assert.match(stderr, /^warning: a\/post\/index\.md: The title "post" comes from the file name.*"From a"/m);
    assert.match(stderr, /^warning: b\/post\/index\.md: The title "post" comes from the file name.*"From b"/m);
  }
  for (const name of ['b', 'a']) assert.match((await publish(`${name}/post/index.md`)).stdout, /^Updated /);
  const articles = await listArticles();
  assert.deepEqual(
    articles.map(({ slug, title, sourcePath, revision }) => [slug, title, sourcePath, revision]),
    [
      [articles[0]?.slug, 'post', 'a/post/index.md', 1],
      [`${articles[0]?.slug}-2`, 'post', 'b/post/index.md', 1],
    ],
  );
  const { id } = JSON.parse(await readFile(join(home.folder, 'courant.json'), 'utf8')) as { id: string };
  assert.deepEqual(
    articles.map(({ sourceRepository }) => sourceRepository),
    [id, id],
  );
});

test('a README at the root is one article in every clone and worktree, named after the repository', async () => {
  for (const name of ['laptop', 'blog-2']) {
    await write(`${name}/.git/HEAD`, 'ref: refs/heads/main\n');
    await write(`${name}/.git/config`, '[remote "origin"]\n\turl = git@github.com:ann/blog.git\n');
    await write(`${name}/README.md`, 'Text.\n');
    const { code, stderr } = await publish(`${name}/README.md`);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^warning: \S*README\.md: The title "blog" comes from the file name/m);
  }
  assert.deepEqual(
    (await listArticles()).map(({ title, sourcePath }) => [title, sourcePath]),
    [['blog', 'README.md']],
  );
});

test('clones of one repository are one source; another repository is a different one', async () => {
  const clone = async (name: string, remote: string) => {
    await write(`${name}/.git/HEAD`, 'ref: refs/heads/main\n');
    await write(`${name}/.git/config`, `[remote "origin"]\n\turl = ${remote}\n`);
    await write(`${name}/posts/hello.md`, 'Text.\n');
    const { code, stderr } = await publish(`${name}/posts/hello.md`);
    assert.equal(code, 0, stderr);
  };
  await clone('laptop', 'git@github.com:ann/blog.git');
  await clone('ci', 'https://x-access-token:secret-of-ci@GitHub.com/ann/blog');
  assert.equal((await listArticles()).length, 1);
  await clone('other', 'https://github.com/ann/notes.git');
  assert.deepEqual(
    (await listArticles()).map(({ sourceRepository, sourcePath }) => [sourceRepository, sourcePath]),
    [
      ['github.com/ann/blog', 'posts/hello.md'],
      ['github.com/ann/notes', 'posts/hello.md'],
    ],
  );
});
