import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eraseArticlesOf } from '../../../store/articles/erase-articles.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const repository = 'github.com/ann/blog';

async function publish(body: Record<string, unknown>, content = 'Text.\n') {
  const answer = await api.publish({ content, ...body });
  assert.ok(answer.body.data, JSON.stringify(answer.body));
  return { ...answer.body.data, action: answer.body.action, warnings: answer.body.warnings ?? [] };
}

const readRow = (id: string) =>
  api.db
    .selectFrom('articles')
    .select(['title', 'sourceRepository', 'sourcePath', 'revision'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

test('a title from the file name uses the folder’s name for index and README, omits Jekyll’s date, and warns', async () => {
  const cases = [
    ['index.md', 'a/my-bundle/index.md', 'my-bundle'],
    ['README.md', '2026-03-05-with-date/README.md', 'with-date'],
    ['2026-03-05-dated.md', '_posts/2026-03-05-dated.md', 'dated'],
    ['rooted/index.mdx', 'index.mdx', 'rooted'],
  ] as const;
  for (const [fileName, path, title] of cases) {
    const { id, warnings } = await publish(
      { fileName, source: { repository, path } },
      'Text.\n\n## A "first" heading\n',
    );
    assert.equal((await readRow(id)).title, title);
    const [warning] = warnings;
    assert.deepEqual([warning?.code, warning?.path], ['title_from_file_name', 'title']);
    assert.match(warning?.message ?? '', /"A \\"first\\" heading"/);
  }
  const named = await publish({ fileName: 'index.md' }, markdown({ title: 'Has its own' }));
  assert.deepEqual(named.warnings, []);
});

test('a title from the file name matches only an article whose source is equal or unknown', async () => {
  const file = (path: string, more = {}) => ({ fileName: 'same-name.md', source: { repository, path, ...more } });
  const a = await publish(file('a/same-name.md'));
  const b = await publish(file('b/same-name.md'));
  const other = await publish(file('a/same-name.md', { repository: 'github.com/ann/notes' }));
  const alone = await publish(file('a/same-name.md', { repository: null }));
  assert.equal(new Set([a.id, b.id, other.id, alone.id]).size, 4);
  const clone = { repository: 'https://ann:token@github.com/ann/blog.git' };
  assert.deepEqual(
    [(await publish(file('a/same-name.md', clone))).id, (await publish(file('b/same-name.md'))).id],
    [a.id, b.id],
  );
});

test('ids, slugs, canonical URLs and titles in the document match regardless of the source, and the stored source is updated', async () => {
  for (const keys of [{ id: 'moved-1' }, { slug: 'moved-2' }, { canonical_url: 'https://blog.example/moved-3' }, {}]) {
    const content = markdown({ title: `Moved ${JSON.stringify(keys)}`, ...keys });
    const first = await publish({ fileName: 'a.md', source: { repository, path: 'a.md' } }, content);
    const second = await publish({ fileName: 'b.md', source: { repository, path: 'b.md' } }, content);
    assert.equal(second.id, first.id);
    assert.deepEqual(await readRow(first.id), {
      title: `Moved ${JSON.stringify(keys)}`,
      ...{ sourceRepository: repository, sourcePath: 'b.md', revision: 1 },
    });
  }
});

test('an article without a source gets that of its next publish; a publish without a source does not remove it', async () => {
  const { id } = await publish({ fileName: 'takes-one.md' });
  assert.equal((await readRow(id)).sourcePath, null);
  const source = { repository, path: 'posts/takes-one.md' };
  assert.equal((await publish({ fileName: 'takes-one.md', source })).id, id);
  await publish({}, markdown({ title: 'takes-one' }, 'Written at the desk.\n'));
  assert.deepEqual(await readRow(id), {
    title: 'takes-one',
    ...{ sourceRepository: repository, sourcePath: source.path, revision: 2 },
  });
});

test('a malformed source gives a 422 that names the field, and changes nothing', async () => {
  const content = markdown({ title: 'Wrong source' });
  const cases: [unknown, string][] = [
    ['a.md', 'source'],
    [{ repository }, 'source.path'],
    [{ repository: 7, path: 'a.md' }, 'source.repository'],
    [{ repository: 'r'.repeat(1_025), path: 'a.md' }, 'source.repository'],
    [{ repository: 'nul\0', path: 'a.md' }, 'source.repository'],
    // The server cannot parse this URL, so it cannot remove the credential.
    [{ repository: 'ann:token@github.com/ann/blog', path: 'a.md' }, 'source.repository'],
    ...['', '/etc/passwd', '../a.md', 'a/../b.md', '../publish/a.md', 'a//b.md', 'a/', 'nul\0', 'x'.repeat(4_097)].map(
      (path): [unknown, string] => [{ repository, path }, 'source.path'],
    ),
  ];
  for (const [source, path] of cases) {
    const { status, body } = await api.publish({ content, source });
    assert.deepEqual([status, body.errors?.map((error) => error.path)], [422, [path]], JSON.stringify(source));
  }
  assert.equal((await api.publish({ content, source: null })).status, 201);
});

test('the same idempotency key with another source counts as another request', async () => {
  const body = { content: markdown({ title: 'Keyed with a source' }), source: { repository, path: 'a.md' } };
  const headers = { 'idempotency-key': 'source-1' };
  assert.equal((await api.publish(body, { headers })).status, 201);
  assert.equal((await api.publish(body, { headers })).status, 201);
  const answer = await api.publish({ ...body, source: { repository, path: 'b.md' } }, { headers });
  assert.deepEqual([answer.status, answer.body.code], [422, 'idempotency_key_reused']);
});

test('the source is erased with the account', async () => {
  const { id } = await publish({ source: { repository, path: 'erased.md' } }, markdown({ title: 'Erased' }));
  await api.db.transaction().execute((tx) => eraseArticlesOf(tx, api.author.id, new Date()));
  assert.deepEqual(await readRow(id), { title: '', sourceRepository: null, sourcePath: null, revision: 2 });
});
