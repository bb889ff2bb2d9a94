/** Tests series: commands of their author, and membership by document or command. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

let authors = 0;
const createAuthor = () => api.createAuthor(`serial-${++authors}`);
const call = (author: TestAuthor, query: string, variables: Record<string, unknown> = {}) =>
  runGraphql(api, author.id, query, variables);

async function createSeries(author: TestAuthor, title: string): Promise<string> {
  const answer = await call(author, 'mutation ($title: String!) { createSeries(title: $title) { id title } }', {
    title,
  });
  assert.ok(answer.data, answer.text);
  return answer.data.createSeries.id;
}

async function publish(author: TestAuthor, frontmatter: Record<string, unknown>) {
  const { body } = await api.publish({ content: markdown(frontmatter) }, author);
  assert.ok(body.data, JSON.stringify(body));
  return { id: body.data.id, warnings: (body.warnings ?? []).filter(({ path }) => path === 'series_id') };
}

async function listParts(author: TestAuthor, seriesId: string | null): Promise<string[]> {
  const list = 'query ($filter: ArticlesFilter) { articles(filter: $filter) { edges { node { title } } } }';
  const { data, text } = await call(author, list, { filter: { seriesId } });
  assert.ok(data, text);
  return data.articles.edges.map(({ node }: { node: { title: string } }) => node.title);
}

test('an article joins the series that its document names by id, or by title in any case, as its last part', async () => {
  const author = await createAuthor();
  const id = await createSeries(author, 'Learning  Größe');
  await publish(author, { title: 'One', series_id: id });
  await publish(author, { title: 'Two', series_id: 'learning GRÖßE' });
  const three = await publish(author, { title: 'Three', series_id: id.toUpperCase() });
  assert.deepEqual(three.warnings, []);
  assert.deepEqual(await listParts(author, id), ['One', 'Two', 'Three']);
  await publish(author, { title: 'One', series_id: id, subtitle: 'changed' });
  assert.deepEqual(await listParts(author, id), ['One', 'Two', 'Three'], 'a part keeps its place');
  const shown = await call(author, `{ article(id: "${three.id}") { seriesId series { title articleCount } } }`);
  assert.deepEqual(shown.data.article, { seriesId: id, series: { title: 'Learning Größe', articleCount: 3 } });
});

test('an unknown series and another author’s series give the same warning and are ignored', async () => {
  const [author, other] = [await createAuthor(), await createAuthor()];
  const foreign = await createSeries(other, 'Theirs');
  const messages: string[] = [];
  for (const seriesId of [foreign, 'Theirs', crypto.randomUUID(), 'nothing of this name', '7']) {
    const { id, warnings } = await publish(author, { title: `In ${seriesId}`, series_id: seriesId });
    assert.deepEqual(
      warnings.map(({ code, path }) => `${code} ${path}`),
      ['series_unknown series_id'],
    );
    messages.push(warnings[0]?.message.replace(seriesId, '…') ?? '');
    const { data } = await call(author, `{ article(id: "${id}") { seriesId } }`);
    assert.equal(data.article.seriesId, null);
  }
  assert.equal(new Set(messages).size, 1);
  assert.deepEqual(await listParts(other, foreign), []);
});

test('publishing the same document again joins a series that was created meanwhile', async () => {
  const author = await createAuthor();
  assert.equal((await publish(author, { title: 'Early', series_id: 'Later made' })).warnings.length, 1);
  const id = await createSeries(author, 'Later made');
  assert.deepEqual((await publish(author, { title: 'Early', series_id: 'Later made' })).warnings, []);
  assert.deepEqual(await listParts(author, id), ['Early']);
});

test('a document that never named a series leaves its article in the series set by a command; removing the name removes the article', async () => {
  const author = await createAuthor();
  const id = await createSeries(author, 'Of both kinds');
  const byCommand = await publish(author, { title: 'By command' });
  await publish(author, { title: 'By document', series_id: id });
  const order = 'mutation ($id: ID!, $ids: [ID!]!) { orderSeries(id: $id, articleIds: $ids) { articleCount } }';
  assert.equal((await call(author, order, { id, ids: [byCommand.id] })).data.orderSeries.articleCount, 2);
  assert.deepEqual(await listParts(author, id), ['By command', 'By document']);
  await publish(author, { title: 'By command', subtitle: 'changed' });
  await publish(author, { title: 'By document' });
  assert.deepEqual(await listParts(author, id), ['By command']);
  assert.deepEqual(await listParts(author, null), ['By document']);
});

test('orderSeries puts the named articles first, removes none, and changes nothing if one id is invalid', async () => {
  const [author, other] = [await createAuthor(), await createAuthor()];
  const id = await createSeries(author, 'Ordered');
  const parts = [];
  for (const title of ['A', 'B', 'C', 'D']) parts.push((await publish(author, { title, series_id: id })).id);
  const [a, , c, d] = parts as [string, string, string, string];
  const order = (ids: string[]) =>
    call(author, 'mutation ($id: ID!, $ids: [ID!]!) { orderSeries(id: $id, articleIds: $ids) { id } }', { id, ids });
  await order([d, c]);
  assert.deepEqual(await listParts(author, id), ['D', 'C', 'A', 'B']);
  const { id: foreign } = await publish(other, { title: 'Foreign' });
  for (const ids of [
    [a, foreign],
    [a, crypto.randomUUID()],
    [a, 'x'],
    [a, a.toUpperCase()],
  ]) {
    assert.match((await order(ids)).code ?? '', /^(NOT_FOUND|BAD_INPUT)$/);
  }
  assert.deepEqual(await listParts(author, id), ['D', 'C', 'A', 'B']);
  await call(author, `mutation { removeFromSeries(articleId: "${c}") { id } }`);
  await call(author, `mutation { deleteArticle(id: "${d}") { article { id } } }`);
  assert.deepEqual(await listParts(author, id), ['A', 'B']);
});

test('the list of a series is paged in series order', async () => {
  const author = await createAuthor();
  const id = await createSeries(author, 'Paged');
  for (const title of ['A', 'B', 'C']) await publish(author, { title, series_id: id });
  const list = `query ($after: String) { articles(filter: { seriesId: "${id}" }, first: 2, after: $after) {
    edges { node { title } } pageInfo { endCursor hasNextPage } } }`;
  const first = (await call(author, list)).data.articles;
  const second = (await call(author, list, { after: first.pageInfo.endCursor })).data.articles;
  const titles = [...first.edges, ...second.edges].map(({ node }) => node.title);
  assert.deepEqual([titles, first.pageInfo.hasNextPage, second.pageInfo.hasNextPage], [['A', 'B', 'C'], true, false]);
});

test('its author renames and deletes a series without deleting its articles', async () => {
  const author = await createAuthor();
  const id = await createSeries(author, 'First name');
  await createSeries(author, 'Taken');
  const rename = (title: string) =>
    call(author, 'mutation ($id: ID!, $title: String!) { renameSeries(id: $id, title: $title) { title } }', {
      id,
      title,
    });
  assert.equal((await rename('Second\nname')).data.renameSeries.title, 'Second name');
  assert.equal((await rename('tAKEN')).code, 'TITLE_TAKEN');
  for (const title of ['', ' ', 'x'.repeat(201)]) assert.equal((await rename(title)).code, 'BAD_INPUT');
  assert.equal((await call(author, 'mutation { createSeries(title: " taken") { id } }')).code, 'TITLE_TAKEN');
  const list = '{ mySeries { edges { node { title articleCount } } } }';
  await publish(author, { title: 'Stays', series_id: id });
  const titles = async () => (await call(author, list)).data.mySeries.edges.map(({ node }: { node: unknown }) => node);
  assert.deepEqual(await titles(), [
    { title: 'Second name', articleCount: 1 },
    { title: 'Taken', articleCount: 0 },
  ]);
  assert.equal((await call(author, `mutation { deleteSeries(id: "${id}") }`)).data.deleteSeries, true);
  assert.deepEqual(await titles(), [{ title: 'Taken', articleCount: 0 }]);
  assert.deepEqual(await listParts(author, null), ['Stays']);
});

test('of concurrent requests to create a series with one title, only one succeeds', async () => {
  const author = await createAuthor();
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => call(author, 'mutation { createSeries(title: "Once") { id } }')),
  );
  assert.deepEqual(answers.map(({ code }) => code ?? 'made').sort(), [
    'TITLE_TAKEN',
    'TITLE_TAKEN',
    'TITLE_TAKEN',
    'TITLE_TAKEN',
    'made',
  ]);
});
