import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';
import { addDelivery, unknown } from '../deliveries/support/rows.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const ARTICLE = 'id slug title status url scheduledAt scheduledZone publishedAt';
const NOW = `mutation ($id: ID!) { publishArticleNow(id: $id) { ${ARTICLE} } }`;
const SCHEDULE = `mutation ($id: ID!, $at: String!) { scheduleArticle(id: $id, at: $at) { ${ARTICLE} } }`;
const REMOVAL = `{ article { ${ARTICLE} } copies { destination url account isWithdrawn isUncertain message } }`;
const UNPUBLISH = `mutation ($id: ID!) { unpublishArticle(id: $id) ${REMOVAL} }`;
const DELETE = `mutation ($id: ID!) { deleteArticle(id: $id) ${REMOVAL} }`;
const READ = `query ($id: ID!) { article(id: $id) { ${ARTICLE} } }`;

const own = (query: string, variables: Record<string, unknown>) => runGraphql(api, api.author.id, query, variables);
async function publish(frontmatter: Record<string, unknown>) {
  const { body } = await api.publish({ content: markdown(frontmatter) });
  assert.ok(body.data, JSON.stringify(body));
  return { ...body.data, action: body.action };
}
const getStatus = async (path: string) => (await fetch(`${api.url}${path}`, { redirect: 'manual' })).status;
const listOutbox = (id: string) => api.db.selectFrom('outbox').select('id').where('articleId', '=', id).execute();

const CALLS = [
  [NOW, {}],
  [SCHEDULE, { at: '2050-01-01T00:00Z' }],
  [SCHEDULE, { at: 'nonsense' }],
  [UNPUBLISH, {}],
  [DELETE, {}],
  [READ, {}],
] as const;

test('articles cannot be read or changed without a session', async () => {
  const { id } = await publish({ title: 'Behind a door', draft: true });
  for (const [query, more] of CALLS) {
    for (const one of [id, 'no-id'])
      assert.equal((await runGraphql(api, null, query, { id: one, ...more })).code, 'UNAUTHENTICATED');
  }
});

test('another author’s article is NOT_FOUND for every command and stays unchanged (A18)', async () => {
  const { id, slug } = await publish({ title: 'Of somebody else' });
  const other = await api.createAuthor('other-author');
  const before = await api.db.selectFrom('articles').selectAll().where('id', '=', id).executeTakeFirst();
  for (const one of [id, '00000000-0000-4000-8000-000000000000', 'no-id', `${id}' or 1=1`]) {
    for (const [query, more] of CALLS) {
      const answer = await runGraphql(api, other.id, query, { id: one, ...more });
      if (query === READ) assert.equal(answer.data.article, null);
      else assert.ok(answer.code === 'BAD_TIME' || answer.text.includes('You have no such article.'), answer.text);
      assert.ok(!answer.text.includes('Of somebody else'));
    }
  }
  assert.deepEqual(await api.db.selectFrom('articles').selectAll().where('id', '=', id).executeTakeFirst(), before);
  assert.equal(await getStatus(`/${slug}`), 200);
});

test('publishArticleNow publishes a draft, and a repeat changes nothing', async () => {
  const { id, slug } = await publish({ title: 'Now', draft: true });
  const { data } = await own(NOW, { id });
  assert.equal(data.publishArticleNow.status, 'PUBLISHED');
  assert.equal(await getStatus(`/${slug}`), 200);
  const again = await own(NOW, { id });
  assert.deepEqual(again.data.publishArticleNow, data.publishArticleNow);
});

for (const [at, answer] of [
  ['2050-03-01T09:00+02:00', { scheduledAt: '2050-03-01T07:00:00.000Z', scheduledZone: '+02:00' }],
  ['2050-03-01T09:00[Europe/Berlin]', { scheduledAt: '2050-03-01T08:00:00.000Z', scheduledZone: 'Europe/Berlin' }],
  ['2050-10-30T02:30[Europe/Berlin]', { scheduledAt: '2050-10-30T00:30:00.000Z', scheduledZone: 'Europe/Berlin' }],
  ['2050-03-01T09:00:00Z', { scheduledAt: '2050-03-01T09:00:00.000Z', scheduledZone: null }],
  ['2050-03-27T02:30[Europe/Berlin]', 'BAD_TIME'],
  ['2026-02-30', 'BAD_TIME'],
  ['2050-01-01T25:00', 'BAD_TIME'],
  ['20000-01-01T00:00:00Z', 'BAD_TIME'],
  ['2050-01-01T00:00[Mars/Olympus]', 'BAD_TIME'],
  ['', 'BAD_TIME'],
  ['9'.repeat(10_000), 'BAD_TIME'],
  ['2020-01-01T00:00Z', 'IN_THE_PAST'],
] as const) {
  test(`scheduling for “${at.slice(0, 40)}” stores the time or rejects it`, async () => {
    const { id } = await publish({ title: 'For later', draft: true, id: `for-later-${at.slice(0, 40)}` });
    const { data, code, text } = await own(SCHEDULE, { id, at });
    if (typeof answer === 'string') {
      assert.equal(code, answer);
      if (answer === 'IN_THE_PAST')
        assert.match(text, /"2020-01-01T00:00:00\.000Z is in the past\. Publish it now instead\."/);
      assert.equal((await own(READ, { id })).data.article.status, 'DRAFT');
    } else {
      const { scheduledAt, scheduledZone, status } = data.scheduleArticle;
      assert.deepEqual({ scheduledAt, scheduledZone, status }, { ...answer, status: 'SCHEDULED' });
    }
  });
}

test('a public article cannot be scheduled; a schedule can be moved, cancelled and published early', async () => {
  const { id, slug } = await publish({ title: 'Moved about', scheduled_at: '2050-01-01T00:00Z' });
  await own(SCHEDULE, { id, at: '2051-01-01T00:00Z' });
  assert.equal((await own(READ, { id })).data.article.scheduledAt, '2051-01-01T00:00:00.000Z');
  const cancelled = await own(UNPUBLISH, { id });
  assert.deepEqual(
    [cancelled.data.unpublishArticle.article.status, cancelled.data.unpublishArticle.article.scheduledAt],
    ['DRAFT', null],
  );
  assert.equal(await getStatus(`/${slug}`), 404);
  await own(SCHEDULE, { id, at: '2051-01-01T00:00Z' });
  assert.equal((await own(NOW, { id })).data.publishArticleNow.status, 'PUBLISHED');
  const refused = await own(SCHEDULE, { id, at: '2051-01-01T00:00Z' });
  assert.equal(refused.code, 'ALREADY_PUBLIC');
  assert.match(refused.text, /"The article is already public and stays public\. To schedule it, unpublish it first\."/);
});

test('a deleted article gives 410, is in no list or document, and its text is erased', async () => {
  const { id, slug } = await publish({
    title: 'To be deleted',
    subtitle: 'Gone soon',
    excerpt: 'Gone too',
    tags: ['gone'],
  });
  const { data } = await own(DELETE, { id });
  assert.equal(data.deleteArticle.article.status, 'DRAFT');
  assert.deepEqual(data.deleteArticle.copies, []);
  for (const path of [`/${slug}`, `/api/geo/posts/${slug}`, `/api/geo/posts/${slug}/description`])
    assert.equal(await getStatus(path), 410, path);
  for (const path of ['/', `/authors/${api.author.username}`]) {
    assert.doesNotMatch(await (await fetch(`${api.url}${path}`)).text(), /To be deleted/, path);
  }
  const row = await api.db.selectFrom('articles').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  assert.doesNotMatch(JSON.stringify(row), /first paragraph|Gone soon|Gone too|"gone"/);
  assert.equal((await own(READ, { id })).data.article, null);
  const before = await listOutbox(id);
  const again = await own(DELETE, { id });
  assert.equal(again.data.deleteArticle.article.id, id);
  assert.ok((await listOutbox(id)).length <= before.length);
  for (const [query, more] of [
    [NOW, {}],
    [SCHEDULE, { at: '2050-01-01' }],
  ] as const) {
    const refused = await own(query, { id, ...more });
    assert.equal(refused.code, 'DELETED');
    assert.match(refused.text, /"The article was deleted\. To restore it, publish its document again\."/);
  }
});

test('publishing the same document again restores a deleted article at its address', async () => {
  const document = { title: 'Back again', id: 'back-again' };
  const first = await publish(document);
  await own(DELETE, { id: first.id });
  const second = await publish(document);
  assert.deepEqual([second.id, second.slug, second.action], [first.id, first.slug, 'updated']);
  assert.equal(await getStatus(`/${first.slug}`), 200);
  assert.equal((await own(READ, { id: first.id })).data.article.status, 'PUBLISHED');
});

test('publishing the unchanged document again publishes an unpublished article', async () => {
  const document = { title: 'Same document' };
  const first = await publish(document);
  await own(UNPUBLISH, { id: first.id });
  assert.equal(await getStatus(`/${first.slug}`), 410);
  assert.equal((await publish(document)).status, 'PUBLISHED');
  assert.equal(await getStatus(`/${first.slug}`), 200);
});

for (const [at, codes] of [
  ['2050-03-01T09:00', ['time_without_offset']],
  ['2050-03-01', ['time_without_offset']],
  ['2050-10-30T02:30[Europe/Berlin]', ['time_ambiguous']],
  ['2050-10-30T02:30+01:00[Europe/Berlin]', []],
  ['2050-03-01T09:00Z', []],
] as const) {
  test(`scheduleArticle for “${at}” gives warnings: ${codes.join() || 'none'}`, async () => {
    const { id } = await publish({ title: `Warned of ${at}`, draft: true });
    const query =
      'mutation ($id: ID!, $at: String!) { scheduleArticle(id: $id, at: $at) { status warnings { code message path } } }';
    const { data, text } = await own(query, { id, at });
    assert.equal(data?.scheduleArticle.status, 'SCHEDULED', text);
    const { warnings } = data.scheduleArticle as { warnings: { code: string; message: string; path: string }[] };
    assert.deepEqual(
      warnings.map(({ code }) => code),
      codes,
    );
    assert.ok(warnings.every(({ message, path }) => path === 'at' && /2050-/.test(message)));
    const read = await own('query ($id: ID!) { article(id: $id) { warnings { code } } }', { id });
    assert.deepEqual(read.data.article.warnings, []);
  });
}

test('scheduling an article with a live copy warns about what happens to the copy', async () => {
  const { id } = await publish({ title: 'Still live there' });
  await addDelivery(api.db, id, 'blogsite_a', { copy: { remoteUrl: 'https://there.example/r' } });
  await own(UNPUBLISH, { id });
  const query =
    'mutation ($id: ID!) { scheduleArticle(id: $id, at: "2050-01-01T00:00Z") { warnings { code message } } }';
  const { data } = await own(query, { id });
  const [warning] = data.scheduleArticle.warnings as { code: string; message: string }[];
  assert.equal(warning?.code, 'remote_copy_live');
  assert.match(warning.message, /https:\/\/there\.example\/r stays live/);
});

for (const [command, mutation] of [
  ['unpublishArticle', UNPUBLISH],
  ['deleteArticle', DELETE],
] as const) {
  test(`${command} lists the uncertain copy of an unanswered create (F27)`, async () => {
    const { id } = await publish({ title: `Perhaps there, ${command}` });
    await addUnknownDelivery(id, `me-${command}`);
    const { data } = await own(mutation, { id });
    const [copy, ...more] = data[command].copies;
    assert.deepEqual(more, []);
    const { message, ...rest } = copy;
    const account = `@me-${command}`;
    assert.deepEqual(rest, { destination: 'blogsite_c', url: '', account, isWithdrawn: false, isUncertain: true });
    assert.match(message, /^There may be a copy at the account “@me-.+Check there/);
  });
}

test('publishing an article as a draft warns about an uncertain copy (F27)', async () => {
  const document = { title: 'Perhaps there, as a draft', id: 'perhaps-there' };
  const { id } = await publish(document);
  await addUnknownDelivery(id, 'me-draft');
  const { body } = await api.publish({ content: markdown({ ...document, draft: true }) });
  const [warning] = (body.warnings ?? []).filter(({ code }) => code === 'remote_copy_unknown');
  assert.match(warning?.message ?? '', /^There may be a copy at the account “@me-draft”/);
  assert.equal(warning?.path, 'cross_post.blogsite_c');
});

/** Adds a delivery to Medium with an unanswered create attempt. */
async function addUnknownDelivery(articleId: string, name: string): Promise<void> {
  const place = { destination: 'blogsite_c', platform: 'medium' } as const;
  await api.db
    .insertInto('accounts')
    .values({ ...place, userId: api.author.id, identity: name, name: `@${name}`, connectedAt: new Date() })
    .execute();
  await addDelivery(api.db, articleId, 'blogsite_c', unknown('No answer.'));
}
