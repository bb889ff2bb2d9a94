import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

async function publish(frontmatter: Record<string, unknown>, body?: string) {
  const answer = await api.publish({ content: markdown(frontmatter, body) });
  assert.ok(answer.body.data, JSON.stringify(answer.body));
  return { ...answer.body.data, action: answer.body.action, warnings: (answer.body.warnings ?? []).map((w) => w.code) };
}

for (const alias of ['id', 'courant_id', 'zyvop_id']) {
  test(`${alias} matches the article after its title has changed`, async () => {
    const first = await publish({ title: `By ${alias}`, [alias]: `ext-${alias}` });
    const second = await publish({ title: `Renamed ${alias}`, [alias]: `ext-${alias}` });
    assert.equal(second.id, first.id);
    assert.equal(second.action, 'updated');
    assert.equal(second.slug, first.slug, 'a slug never changes because a title did');
  });
}

test('the article’s own id matches', async () => {
  const first = await publish({ title: 'By own id' });
  const second = await publish({ title: 'By own id, renamed', id: first.id });
  assert.equal(second.id, first.id);
});

test('the slug matches, also with a suffix', async () => {
  const first = await publish({ title: 'Slugged', slug: 'slugged' });
  assert.equal((await publish({ title: 'Slugged and renamed', slug: 'slugged' })).id, first.id);

  const other = await api.createAuthor('slug-holder');
  await api.publish({ content: markdown({ title: 'Held', slug: 'held' }) }, { token: other.token });
  const suffixed = await publish({ title: 'Wanted', slug: 'held' });
  assert.equal(suffixed.slug, 'held-2');
  assert.deepEqual(suffixed.warnings, ['slug_taken']);
  const again = await publish({ title: 'Wanted, renamed', slug: 'held' });
  assert.equal(again.id, suffixed.id);
  assert.equal(again.slug, 'held-2');
});

test('the normalised canonical URL matches', async () => {
  const first = await publish({ title: 'Canonical', canonical_url: 'https://Blog.Example/post/?utm_source=x#top' });
  assert.equal((await publish({ title: 'Canonical moved', canonical_url: 'https://blog.example/post' })).id, first.id);
});

test('this site’s address as the canonical URL matches the article at that address', async () => {
  const first = await publish({ title: 'At home' });
  const second = await publish({ title: 'At home, renamed', canonical_url: first.url });
  assert.equal(second.id, first.id);
});

test('a site’s root as the canonical URL never matches', async () => {
  const first = await publish({ title: 'Root one', canonical_url: 'https://root.example/' });
  const second = await publish({ title: 'Root two', canonical_url: 'https://root.example' });
  assert.notEqual(second.id, first.id);
});

test('the title matches regardless of case and white space', async () => {
  const first = await publish({ title: 'A  Title of   Mine' });
  assert.equal((await publish({ title: 'a title OF mine' })).id, first.id);
});

test('two different ids are two articles, whatever else is equal', async () => {
  const first = await publish({ title: 'Twins', id: 'twin-1', canonical_url: 'https://blog.example/twins' });
  const second = await publish({ title: 'Twins', id: 'twin-2', canonical_url: 'https://blog.example/twins' });
  assert.notEqual(second.id, first.id);
});

test('the title does not match if both documents have different slugs or canonical URLs', async () => {
  const a = await publish({ title: 'Weekly notes', slug: 'weekly-1' });
  const b = await publish({ title: 'Weekly notes', slug: 'weekly-2' });
  assert.notEqual(a.id, b.id);
  const c = await publish({ title: 'Monthly notes', canonical_url: 'https://blog.example/m1' });
  const d = await publish({ title: 'Monthly notes', canonical_url: 'https://blog.example/m2' });
  assert.notEqual(c.id, d.id);
});

test('of two articles with one title, a publish without other keys updates the older one', async () => {
  const older = await publish({ title: 'Two of one title', id: 'of-one-title-1' });
  await publish({ title: 'Two of one title', id: 'of-one-title-2' });
  assert.equal((await publish({ title: 'Two of one title' }, 'Without an id.')).id, older.id);
});

test('an article published without an id gets the id of a later publish', async () => {
  const first = await publish({ title: 'Takes an id' });
  const second = await publish({ title: 'Takes an id', id: 'taken-later' });
  assert.equal(second.id, first.id);
  assert.equal((await publish({ title: 'Completely renamed', id: 'taken-later' })).id, first.id);
});

test('an id still matches after a publish without one', async () => {
  const first = await publish({ title: 'Kept id', id: 'kept-id' });
  await publish({ title: 'Kept id' }, 'Written in a tool that knows no ids.');
  assert.equal((await publish({ title: 'Kept id, renamed', id: 'kept-id' })).id, first.id);
});

test('an explicit change of slug leaves a permanent redirect, and can be reversed', async () => {
  const first = await publish({ title: 'Moves', id: 'moves', slug: 'old-place' });
  const second = await publish({ title: 'Moves', id: 'moves', slug: 'new-place' });
  assert.equal(second.slug, 'new-place');
  const old = await fetch(`${api.url}/old-place`, { redirect: 'manual' });
  assert.equal(old.status, 301);
  assert.equal(old.headers.get('location'), second.url);
  const stolen = await publish({ title: 'Thief', id: 'thief', slug: 'old-place' });
  assert.equal(stolen.slug, 'old-place-2', 'a redirect is a promise');
  const back = await publish({ title: 'Moves', id: 'moves', slug: 'old-place' });
  assert.equal(back.slug, 'old-place');
  assert.equal(back.id, first.id);
  assert.equal((await fetch(`${api.url}/new-place`, { redirect: 'manual' })).status, 301);
});

test('an article can be renamed from a to b, back to a, and to b again', async () => {
  for (const slug of ['place-a', 'place-b', 'place-a', 'place-b']) {
    const renamed = await publish({ title: 'Renamed twice', id: 'renamed-twice', slug });
    assert.deepEqual([renamed.slug, renamed.warnings], [slug, []]);
  }
  const former = await fetch(`${api.url}/place-a`, { redirect: 'manual' });
  assert.deepEqual([former.status, former.headers.get('location')], [301, `${api.baseUrl}/place-b`]);
});

test('an update to a taken slug keeps the current slug and warns', async () => {
  await publish({ title: 'Owner of the slug', id: 'o1', slug: 'contested' });
  const mine = await publish({ title: 'Wants the slug', id: 'o2', slug: 'uncontested' });
  const again = await publish({ title: 'Wants the slug', id: 'o2', slug: 'contested' });
  assert.equal(again.slug, mine.slug);
  assert.deepEqual(again.warnings, ['slug_taken']);
});

test('a reserved path of the site is not used as a slug', async () => {
  assert.notEqual((await publish({ title: 'graphql' })).slug, 'graphql');
  assert.notEqual((await publish({ title: 'Whatever', slug: 'llms.txt' })).slug, 'llms.txt');
});

test('an update changes the article in place: body, tags and revision', async () => {
  const first = await publish({ title: 'In place', tags: ['one'] }, 'First text.\n');
  const readRow = () =>
    api.db
      .selectFrom('articles')
      .select(['tags', 'revision', 'body', 'publishedAt'])
      .where('id', '=', first.id)
      .executeTakeFirstOrThrow();
  const { publishedAt } = await readRow();
  const second = await publish({ title: 'In place', tags: ['one', 'two'] }, 'Second text.\n');
  assert.equal(second.id, first.id);
  const row = await readRow();
  assert.deepEqual(row.publishedAt, publishedAt, 'it became public once');
  assert.deepEqual(row.tags, ['one', 'two']);
  assert.equal(row.revision, 2);
  assert.equal(row.body.trim(), 'Second text.');
});

for (const [field, value] of Object.entries({
  slug: 'only-the-slug',
  title: 'Only the title',
  subtitle: 'Only this',
  excerpt: 'Only this.',
  tags: ['only'],
  canonical_url: 'https://blog.example/only-this',
  base_url: 'https://blog.example/base/',
  category: 'backend',
  cover_image: 'https://blog.example/only.png',
  generate_toc: true,
  comments_enabled: false,
  comments: false,
  cross_post: { blogsite_a: false },
  draft: true,
  lang: 'fr',
  ai: { train: false },
})) {
  test(`a publish that changes only \`${field}\` is a new revision`, async () => {
    const document = { title: `Before ${field}`, id: `only-${field}` };
    const { id } = await publish(document);
    await publish({ ...document, [field]: value });
    const row = await api.db.selectFrom('articles').select('revision').where('id', '=', id).executeTakeFirstOrThrow();
    assert.equal(row.revision, 2);
  });
}

test('a publish that changes only `syndicationMode` stores it without a new revision', async () => {
  const content = markdown({ title: 'Kept here at first' });
  const { body } = await api.publish({ content, syndicationMode: 'local' });
  await api.publish({ content });
  const row = await api.db
    .selectFrom('articles')
    .select(['syndicate', 'revision'])
    .where('id', '=', body.data?.id ?? '')
    .executeTakeFirstOrThrow();
  assert.deepEqual(row, { syndicate: true, revision: 1 });
});
