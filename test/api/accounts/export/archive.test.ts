/** The files of an export: their names and order, pictures, and the texts about them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listArchivedFiles } from '../../../../api/accounts/export/archive.ts';
import type { ApiDeps } from '../../../../api/deps.ts';
import { markdown, startTestApi, type TestApi, type TestAuthor } from '../../../support/api/api.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

let api: TestApi;
before(async () => {
  // Nothing listens there: no workflow is needed.
  api = await startTestApi({ temporal: '127.0.0.1:1' });
});
after(() => api.close());

/** The files of an export, with their content as text. `stored`: the hashes of stored pictures. */
async function listFiles(author: TestAuthor, stored: readonly string[] = []) {
  const images = {
    has: async ({ hash }: { hash: string }) => stored.includes(hash),
    open: async ({ hash }: { hash: string }) => (hash.startsWith('c') ? null : { content: [Buffer.from('pixels')] }),
  };
  const documents = { restoreDocument: async (userId: string) => `restored for ${userId}` };
  const deps = { db: api.db, images, config: { baseUrl: 'https://courant.example' }, documents, now: () => NOW };
  const files: { path: string; changedAt: Date; text: string; isCompressed: boolean | undefined }[] = [];
  for await (const { path, changedAt, content, isCompressed } of listArchivedFiles(
    deps as unknown as ApiDeps,
    author.id,
  )) {
    let text = '';
    for await (const chunk of content) text += chunk.toString();
    files.push({ path, changedAt, text, isCompressed });
  }
  return files;
}

test('an article is named after its slug, or after its valid characters and its id', async () => {
  const author = await api.createAuthor('named');
  const long = 'x'.repeat(180);
  const slugs = [
    'plain',
    'con',
    'lpt9',
    'lpt',
    'nul-and-more',
    'ünïcode',
    'a.b',
    'Upper',
    long,
    `${long}x`,
    '題'.repeat(61),
  ];
  const names: Record<string, string> = {};
  for (const [n, slug] of slugs.entries()) {
    const { body } = await api.publish({ content: markdown({ title: `Article ${n}`, id: `article-${n}` }) }, author);
    const id = body.data?.id ?? '';
    await api.db.updateTable('articles').set({ slug }).where('id', '=', id).execute();
    names[slug] = id;
  }
  const files = await listFiles(author);
  const paths = new Set(files.map(({ path }) => path));
  for (const [slug, name] of [
    ...['plain', 'lpt', 'nul-and-more', 'ünïcode', long].map((text) => [text, `${text}.md`]),
    ...['con', 'lpt9', 'Upper'].map((text) => [text, `${text}-${names[text]}.md`]),
    ['a.b', `a-b-${names['a.b']}.md`],
    [`${long}x`, `${'x'.repeat(45)}-${names[`${long}x`]}.md`],
    ['題'.repeat(61), `${'題'.repeat(45)}-${names['題'.repeat(61)]}.md`],
  ])
    assert.ok(paths.has(`articles/${name}`), slug);
  assert.ok(
    files.filter(({ path }) => path.startsWith('articles/')).every(({ text }) => text === `restored for ${author.id}`),
  );
});

test('an export without articles has a description, and empty lists', async () => {
  const author = await api.createAuthor('empty');
  const files = await listFiles(author);
  assert.deepEqual(
    files.map(({ path, changedAt }) => [path, changedAt]),
    ['README.md', 'account.json', 'comments.json', 'copies.json'].map((path) => [path, NOW]),
  );
  const [readme, account, comments, copies] = files.map(({ text }) => text);
  assert.deepEqual([comments, copies], ['[\n]\n', '[\n]\n']);
  const { profile, series, connections } = JSON.parse(account ?? '');
  assert.deepEqual([profile.username, series, connections], ['empty', [], []]);
  assert.ok(account?.startsWith('{\n  "profile": {') && account.endsWith('}\n'));
  assert.match(readme ?? '', /^# Your data from https:\/\/courant\.example\n\n- `articles\/`: each of your articles/);
  for (const name of ['account.json', 'comments.json', 'images/', 'copies.json', 'courant_id'])
    assert.ok(readme?.includes(`\`${name}\``), name);
  assert.ok(readme?.includes('send them to `POST https://courant.example/api/v1/articles` with'));
  assert.ok(readme?.includes('for file in articles/*.md; do courant publish "$file"; sleep 6; done'));
});

test('pictures are exported under their names; those that are missing are listed', async () => {
  const author = await api.createAuthor('pictured');
  const hashes = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
  for (const [n, hash] of hashes.entries()) {
    const createdAt = new Date(NOW.getTime() - 1_000 * (9 - n));
    await api.db.insertInto('images').values({ hash, type: 'png', bytes: 6, createdAt }).execute();
    await api.db
      .insertInto('authorImages')
      .values({ authorId: author.id, hash, bytes: 6, checkedAt: createdAt })
      .execute();
  }
  const [a = '', b = '', c = ''] = hashes;
  const pictures = (await listFiles(author, [a])).filter(({ path }) => path.startsWith('images/'));
  const [picture, lost] = pictures;
  assert.deepEqual(
    pictures.map(({ path, text, isCompressed }) => [path, text, isCompressed]),
    [
      [`images/${a}.png`, 'pixels', true],
      ['images/LOST.txt', `${b}.png\n${c}.png\n`, undefined],
    ],
  );
  assert.ok(picture && lost && lost.changedAt >= picture.changedAt && lost.changedAt < NOW);
  const complete = await listFiles(author, [a, b]);
  assert.deepEqual(complete.at(-1)?.text, `${c}.png\n`);
  await assert.rejects(listFiles(author, [a, b, c]), { message: `the picture ${c} was deleted during the export` });
});
