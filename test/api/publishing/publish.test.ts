import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { addDelivery } from '../deliveries/support/rows.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

test('a new article gives 201, its address as Location, and the specified body', async () => {
  const answer = await api.publish({ content: markdown({ title: 'A new article' }) });
  assert.equal(answer.status, 201);
  assert.equal(answer.body.success, true);
  assert.equal(answer.body.action, 'created');
  assert.equal(answer.body.data?.slug, 'a-new-article');
  assert.equal(answer.body.data?.status, 'PUBLISHED');
  assert.match(answer.body.data?.id ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(answer.headers.get('location'), answer.body.data?.url);
  assert.equal(answer.body.warnings, undefined);
  assert.equal((await fetch(answer.body.data?.url ?? '')).status, 200);
});

test('the same document again gives 200 and "updated" without a new revision (F5)', async () => {
  const content = markdown({ title: 'Told twice' });
  const first = await api.publish({ content });
  const second = await api.publish({ content });
  assert.equal(second.status, 200);
  assert.equal(second.body.action, 'updated');
  assert.deepEqual(second.body.data, first.body.data);
  const row = await api.db
    .selectFrom('articles')
    .select(['revision', 'dispatch'])
    .where('id', '=', first.body.data?.id ?? '')
    .executeTakeFirstOrThrow();
  assert.deepEqual(row, { revision: 1, dispatch: 2 });
});

test('markdown is an alias of content, and both are accepted if they are equal', async () => {
  const content = markdown({ title: 'Another name' });
  assert.equal((await api.publish({ markdown: content })).status, 201);
  assert.equal((await api.publish({ markdown: content, content })).status, 200);
});

test('the file name distinguishes MDX from Markdown', async () => {
  const content = markdown({ title: 'By its name' }, 'One {1 + 1} two.');
  const codes = async (fileName: string) => {
    const { status, body } = await api.publish({ content, fileName });
    return [Math.floor(status / 100), body.warnings?.map(({ code }) => code)];
  };
  assert.deepEqual(await codes('a.md'), [2, undefined]);
  assert.deepEqual(await codes('a.mdx'), [2, ['mdx_expression_removed']]);
  assert.equal((await api.publish({ content, fileName: 'a'.repeat(256) })).status, 422);
});

test('unknown fields of the request are ignored', async () => {
  const answer = await api.publish({ content: markdown({ title: 'With more' }), somethingElse: [1, 2] });
  assert.equal(answer.status, 201);
});

test('without a frontmatter title the first H1 is the title; without either, the publish gives 422', async () => {
  const titled = await api.publish({ content: '# From the heading\n\nText.\n' });
  assert.equal(titled.body.data?.slug, 'from-the-heading');
  const untitled = await api.publish({ content: 'Only text.\n' });
  assert.equal(untitled.status, 422);
  assert.deepEqual(
    untitled.body.errors?.map((error) => error.path),
    ['title'],
  );
});

test('drafts of other tools and unread frontmatter are never published silently (A32)', async () => {
  const draft = await api.publish({ content: '{"title": "Kept back", "Draft": true}\nText.\n' });
  assert.deepEqual([draft.status, draft.body.data?.status, draft.body.warnings], [201, 'DRAFT', undefined]);
  const doubtful = await api.publish({ content: '---\ntitle: In doubt\npublish: false\n---\nText.\n' });
  assert.deepEqual([doubtful.status, doubtful.body.data?.status], [201, 'PUBLISHED']);
  assert.deepEqual(
    doubtful.body.warnings?.map(({ code }) => code),
    ['state_doubtful'],
  );
  const unread = await api.publish({ content: '—-\ntitle: Not read\ndraft: true\n—-\nText.\n' });
  assert.equal(unread.status, 422);
  assert.match(JSON.stringify(unread.body.errors), /"path":"frontmatter".*"line":1,"column":1/);
});

test('published: false, draft: true and an explicit status select the state', async () => {
  const states = [
    [{ title: 'S1', published: false }, 'DRAFT'],
    [{ title: 'S2', draft: true }, 'DRAFT'],
    [{ title: 'S3', status: 'DRAFT' }, 'DRAFT'],
    [{ title: 'S4', status: 'PUBLISHED', draft: true }, 'PUBLISHED'],
    [{ title: 'S5', scheduled_at: '2049-01-01T00:00:00Z' }, 'SCHEDULED'],
    [{ title: 'S6', draft: true, scheduled_at: '2049-01-01T00:00:00Z' }, 'DRAFT'],
  ] as const;
  for (const [frontmatter, status] of states) {
    const answer = await api.publish({ content: markdown(frontmatter) });
    assert.equal(answer.body.data?.status, status, JSON.stringify(frontmatter));
  }
});

test('the response to a scheduled article has its time in UTC, and the article is not public yet', async () => {
  const content = markdown({ title: 'Later', scheduled_at: '2049-01-01T02:00:00+02:00' });
  const answer = await api.publish({ content });
  assert.equal(answer.body.data?.scheduledAt, '2049-01-01T00:00:00.000Z');
  assert.equal((await fetch(answer.body.data?.url ?? '')).status, 404);
});

test('a scheduled_at in the past publishes now and warns', async () => {
  const answer = await api.publish({ content: markdown({ title: 'Late', scheduled_at: '2001-01-01T00:00:00Z' }) });
  assert.equal(answer.body.data?.status, 'PUBLISHED');
  assert.equal(answer.body.warnings?.length, 1);
});

test('a future scheduled_at on a public article leaves it public, with a warning', async () => {
  await api.publish({ content: markdown({ title: 'Stays public' }) });
  const answer = await api.publish({
    content: markdown({ title: 'Stays public', scheduled_at: '2049-01-01T00:00:00Z' }),
  });
  assert.equal(answer.body.data?.status, 'PUBLISHED');
  assert.deepEqual(
    answer.body.warnings?.map((warning) => warning.code),
    ['already_public'],
  );
});

test('a selected destination that is not connected gives a warning', async () => {
  const content = markdown({ title: 'Named', cross_post: { blogsite_c: true, blogsite_a: false } });
  const answer = await api.publish({ content });
  assert.equal(answer.status, 201);
  assert.deepEqual(
    answer.body.warnings?.map(({ code, path }) => [code, path]),
    [['destination_not_connected', 'cross_post.blogsite_c']],
  );
});

test('an unknown key of cross_post gives a destination_not_accepted warning', async () => {
  const answer = await api.publish({ content: markdown({ title: 'Microblog', cross_post: { microblog: true } }) });
  assert.equal(answer.status, 201);
  assert.deepEqual(
    answer.body.warnings?.map(({ code }) => code),
    ['destination_not_accepted'],
  );
});

test('fifty identical concurrent publishes create one article and update it forty-nine times (F16)', async () => {
  const content = markdown({ title: 'Fifty at once' });
  const answers = await Promise.all(Array.from({ length: 50 }, () => api.publish({ content })));
  const created = answers.filter((answer) => answer.status === 201);
  assert.equal(created.length, 1);
  assert.equal(new Set(answers.map((answer) => answer.body.data?.id)).size, 1);
  assert.equal(answers.filter((answer) => answer.status === 200).length, 49);
});

test('two authors who publish the same slug at once get different slugs, one with a suffix', async () => {
  const authors = await Promise.all(['racer-one', 'racer-two', 'racer-three'].map((name) => api.createAuthor(name)));
  const content = markdown({ title: 'Race', slug: 'the-race' });
  const answers = await Promise.all(authors.map(({ token }) => api.publish({ content }, { token })));
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [201, 201, 201],
  );
  const slugs = answers.map((answer) => answer.body.data?.slug);
  assert.equal(new Set(slugs).size, 3);
  assert.equal(slugs.filter((slug) => slug === 'the-race').length, 1);
});

test('an article made a draft again gives 410, and the warnings name its live copies', async () => {
  const published = await api.publish({ content: markdown({ title: 'Withdrawn one' }) });
  const url = published.body.data?.url ?? '';
  const { id } = published.body.data ?? { id: '' };
  await addDelivery(api.db, id, 'blogsite_b', { copy: { remoteUrl: 'https://blog.example/r1' } });
  const draft = await api.publish({ content: markdown({ title: 'Withdrawn one', draft: true }) });
  assert.equal(draft.body.data?.status, 'DRAFT');
  assert.match(draft.body.warnings?.[0]?.message ?? '', /https:\/\/blog\.example\/r1/);
  assert.equal((await fetch(url)).status, 410);
});

test('OpenAPI describes the route', async () => {
  const document = (await (await fetch(`${api.url}/api/v1/openapi.json`)).json()) as { paths: object };
  assert.ok('/api/v1/articles' in document.paths);
});
