/** Tests the list of own articles: filters, search, and pages without gaps or repetitions. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { runGraphql } from '../../support/api/graphql.ts';

let api: TestApi;
let seriesId: string;
before(async () => {
  api = await startTestApi();
  for (let n = 1; n <= 7; n++) await publish({ title: `Number ${n}`, tags: n % 2 ? ['odd'] : ['even'], draft: n > 5 });
  seriesId = (await runGraphql(api, api.author.id, 'mutation { createSeries(title: "A series") { id } }')).data
    .createSeries.id;
  await publish({ title: 'Number 3', tags: ['odd'], series_id: 'a SERIES' });
  // Two articles with one time, ordered by id alone. Other times have microseconds, unlike Date.
  const at = new Date('2026-01-01T00:00:00Z');
  await api.db.updateTable('articles').set({ createdAt: at }).where('title', 'in', ['Number 1', 'Number 2']).execute();
});
after(() => api.close());

async function publish(frontmatter: Record<string, unknown>) {
  const { body } = await api.publish({ content: markdown(frontmatter) });
  assert.ok(body.data, JSON.stringify(body));
  return body.data.id;
}

const LIST = `query ($first: Int, $after: String, $filter: ArticlesFilter) { articles(first: $first, after: $after, filter: $filter) {
  edges { cursor node { title } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

const list = (variables: Record<string, unknown> = {}) => runGraphql(api, api.author.id, LIST, variables);
const titlesOf = ({ data }: Awaited<ReturnType<typeof list>>): string[] =>
  data.articles.edges.map(({ node }: { node: { title: string } }) => node.title);

test('pages of any size list each article once, newest first', async () => {
  const whole = titlesOf(await list());
  assert.deepEqual(whole.slice(0, 5), ['Number 7', 'Number 6', 'Number 5', 'Number 4', 'Number 3']);
  assert.deepEqual(whole.slice(5).sort(), ['Number 1', 'Number 2']);
  for (const first of [1, 2, 3, 7]) {
    const seen: string[] = [];
    let after: string | null = null;
    for (;;) {
      const page = await list({ first, after });
      const { hasNextPage, hasPreviousPage, endCursor, startCursor } = page.data.articles.pageInfo;
      assert.equal(hasPreviousPage, after !== null);
      assert.equal(startCursor, page.data.articles.edges[0].cursor);
      seen.push(...titlesOf(page));
      if (!hasNextPage) break;
      after = endCursor;
    }
    assert.deepEqual(seen, whole, `pages of ${first}`);
  }
});

test('an article that is added or deleted between two pages shifts no other', async () => {
  const one = await list({ first: 2 });
  const id = await publish({ title: 'Number 8' });
  const two = await list({ first: 2, after: one.data.articles.pageInfo.endCursor });
  assert.deepEqual([...titlesOf(one), ...titlesOf(two)], ['Number 7', 'Number 6', 'Number 5', 'Number 4']);
  await runGraphql(api, api.author.id, 'mutation ($id: ID!) { deleteArticle(id: $id) { article { id } } }', { id });
  assert.equal(titlesOf(await list())[0], 'Number 7', 'deleted ones are left out');
});

test('the filter selects by state, tag and series; a null series selects articles without one', async () => {
  assert.deepEqual(titlesOf(await list({ filter: { status: 'DRAFT' } })), ['Number 7', 'Number 6']);
  assert.deepEqual(titlesOf(await list({ filter: { tag: 'even', status: 'PUBLISHED' } })), ['Number 4', 'Number 2']);
  assert.deepEqual(titlesOf(await list({ filter: { seriesId } })), ['Number 3']);
  assert.equal(titlesOf(await list({ filter: { seriesId: null } })).length, 6);
  assert.equal(titlesOf(await list({ filter: { status: null, tag: null } })).length, 7);
});

test('a page has between 1 and 100 entries', async () => {
  for (const first of [0, -1, 101, 2_000_000_000]) {
    const answer = await list({ first });
    assert.equal(answer.code, 'BAD_INPUT', answer.text);
    assert.equal(answer.field, 'first');
  }
  assert.equal((await list({ first: 100 })).code, undefined);
});

test('a forged or truncated cursor, or one of another list, is rejected (A49)', async () => {
  const good = (await list({ first: 1 })).data.articles.pageInfo.endCursor as string;
  const [name, position] = JSON.parse(Buffer.from(good, 'base64url').toString()) as [
    string,
    { createdAt: number; id: string },
  ];
  const write = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const bad = [
    '',
    'x',
    good.slice(1),
    good.slice(0, -9),
    'A'.repeat(20_000),
    write(null),
    write([]),
    write([name]),
    write([name, null]),
    write([name, { ...position, id: 'x' }]),
    write([name, { ...position, createdAt: 9e15 }]),
    write([name, { ...position, createdAt: '2026' }]),
    write([name, { ...position, createdAt: 0.5 }]),
    write([name, { id: position.id }]),
    write(['another', position]),
  ];
  for (const after of bad) {
    const answer = await list({ after });
    assert.equal(answer.code, 'BAD_CURSOR', `${after.slice(0, 60)}: ${answer.text}`);
    assert.equal(answer.field, 'after');
  }
  assert.equal((await list({ after: good, filter: { tag: 'odd' } })).code, 'BAD_CURSOR');
  const other = await api.createAuthor('somebody-else');
  assert.equal((await runGraphql(api, other.id, LIST, { after: good })).code, 'BAD_CURSOR');
  for (const createdAt of [-7_999_999_999_999_999, 7_999_999_999_999_999]) {
    assert.equal((await list({ after: write([name, { ...position, createdAt }]) })).code, undefined);
  }
});

test('the list contains no articles of other authors', async () => {
  const other = await api.createAuthor('another');
  assert.deepEqual((await runGraphql(api, other.id, LIST)).data.articles, {
    edges: [],
    pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
  });
});

test('a search matches words and prefixes in title, subtitle, tags and body of own articles only', async () => {
  const author = await api.createAuthor('searcher');
  const documents = [
    ['Node.js streams', { subtitle: 'Backpressure explained', tags: ['web-dev'] }, 'A body about C++ and _emphasis_.'],
    ['Größenwahn', {}, 'Version v1.24.3 of naïve code; https://example.org/some-path'],
    ['東京タワー', {}, '日本語の本文'],
  ] as const;
  for (const [title, more, body] of documents) {
    const { status } = await api.publish({ content: markdown({ title, ...more }, body) }, author);
    assert.equal(status, 201);
  }
  const find = async (search: string) =>
    titlesOf(
      await runGraphql(
        api,
        author.id,
        'query ($search: String) { articles(search: $search) { edges { node { title } } } }',
        {
          search,
        },
      ),
    );
  const [streams, size, tower] = documents.map(([title]) => title) as [string, string, string];
  for (const search of ['node', 'JS', 'node.js', 'str node', 'backpress', 'dev', 'web-dev', 'c++ emph', 'emphasis'])
    assert.deepEqual(await find(search), [streams], search);
  for (const search of ['größe', 'GRÖßENWAHN', '24', 'naïve', 'some path', 'v1.24'])
    assert.deepEqual(await find(search), [size], search);
  for (const search of ['東京', 'タワー', '日本語']) assert.deepEqual(await find(search), [tower], search);
  for (const search of ['Number', 'node zebra', '!', "' | 'x", 'x:* & !y', '\\', '%', 'script\u0000'])
    assert.deepEqual(await find(search), [], search);
  assert.equal((await find('')).length, 0);
  const long = await runGraphql(api, author.id, 'query ($s: String) { articles(search: $s) { edges { cursor } } }', {
    s: 'x'.repeat(201),
  });
  assert.equal(long.code, 'BAD_INPUT');
});

test('a search covers an article of the maximum size', async () => {
  const author = await api.createAuthor('prolific');
  const words = Array.from({ length: 150_000 }, (_, n) => `w${n.toString(36)}`).join(' ');
  const { status } = await api.publish({ content: markdown({ title: 'Of a mebibyte' }, words) }, author);
  assert.equal(status, 201);
  const list = '{ articles(search: "w1") { edges { node { title } } } }';
  assert.deepEqual(titlesOf(await runGraphql(api, author.id, list)), ['Of a mebibyte']);
});

test('tags are counted and sorted by use, without those of deleted articles', async () => {
  const author = await api.createAuthor('tagger');
  for (const [title, tags] of [
    ['A', ['x', 'y']],
    ['B', ['x']],
    ['C', ['z']],
  ] as const) {
    await api.publish({ content: markdown({ title, tags, draft: title === 'B' }) }, author);
  }
  const { id } = await api.db.selectFrom('articles').select('id').where('title', '=', 'C').executeTakeFirstOrThrow();
  await runGraphql(api, author.id, 'mutation ($id: ID!) { deleteArticle(id: $id) { article { id } } }', { id });
  assert.deepEqual((await runGraphql(api, author.id, '{ tags { tag count } }')).data.tags, [
    { tag: 'x', count: 2 },
    { tag: 'y', count: 1 },
  ]);
});
