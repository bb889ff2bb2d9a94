import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DERIVED_VERSION } from '../../../article/derived-version.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { requestList, titles, waitUntilAllDerived } from './support/lists.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
  const second = await api.createAuthor('second');
  for (const [title, more, body] of ARTICLES) {
    const author = title === 'By another author' ? second : api.author;
    assert.equal((await api.publish({ content: markdown({ title, ...more }, body) }, author)).status, 201, title);
  }
  await waitUntilAllDerived(api);
});
after(() => api.close());

const ARTICLES = [
  [
    'The event loop',
    { tags: ['node', 'C++'], lang: 'en' },
    'How the runtimes of servers are running their timers, said plainly.',
  ],
  [
    'Garbage',
    { tags: ['node'], lang: 'en' },
    'A collector of memory looks at the event that a loop caused. News of the day.',
  ],
  ['Die Häuser', { lang: 'de' }, 'Von Größe und Häusern, in denen man läuft.'],
  ['東京タワー', { lang: 'ja' }, '日本語の本文です。電波塔について書きます。'],
  ['ภาษาไทย', { lang: 'th' }, 'การเขียนโปรแกรมเป็นภาษาไทย'],
  ['Secret draft', { draft: true, lang: 'en' }, 'The unpublished timers of a draft.'],
  ['Later', { scheduled_at: '2150-01-01T00:00:00Z', lang: 'en' }, 'The timers of the future.'],
  ['A copy', { id: 'copy', canonical_url: 'https://example.org/original', lang: 'en' }, 'Duplicated zebra.'],
  ['Another copy', { id: 'another', canonical_url: 'https://example.org/original', lang: 'en' }, 'Duplicated zebra.'],
  ['By another author', { canonical_url: 'https://example.org/original', lang: 'en' }, 'Duplicated zebra.'],
] as const;
const [LOOP, GARBAGE, HOUSES, TOWER, THAI] = ARTICLES.map(([title]) => title) as [
  string,
  string,
  string,
  string,
  string,
];

test('a search matches inflected words by the language of the article', async () => {
  for (const [q, found] of [
    ['timer', [LOOP]],
    ['run server', [LOOP]],
    ['runtim', [LOOP]],
    ['Haus', [HOUSES]],
    ['grosse', [HOUSES]],
    ['GRÖßE', [HOUSES]],
    ['new', []],
    ['news', [GARBAGE]],
    ['東京', [TOWER]],
    ['電波塔', [TOWER]],
    ['โปรแกรม', [THAI]],
    ['c++', [LOOP]],
    ['"event loop"', [LOOP]],
    ['"loop event"', []],
    ['event -garbage', [LOOP]],
    ['event zebra', []],
  ] as const)
    assert.deepEqual(await find(q), found, q);
});

test('a match in the title ranks above a match in the text', async () => {
  assert.deepEqual(await find('event loop'), [LOOP, GARBAGE]);
});

test('a search finds no drafts, scheduled articles, duplicates of an author or articles of suspended authors', async () => {
  assert.deepEqual(await find('unpublished'), []);
  assert.deepEqual(await find('future timers'), []);
  assert.deepEqual((await find('zebra')).sort(), ['A copy', 'By another author']);
  const other = await api.createAuthor('suspended');
  await api.publish({ content: markdown({ title: 'By a suspended one', lang: 'en' }, 'xylophone') }, other);
  await waitUntilAllDerived(api);
  assert.deepEqual(await find('xylophone'), ['By a suspended one']);
  await api.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', other.id).execute();
  assert.deepEqual(await find('xylophone'), []);
  assert.equal((await fetch(`${api.url}/api/v1/articles/by-a-suspended-one`)).status, 410);
});

test('an unpublished article is not found until it is published again', async () => {
  const document = (state: object) => ({
    content: markdown({ title: 'Coming and going', lang: 'en', ...state }, 'quokka'),
  });
  const { body } = await api.publish(document({}));
  await waitUntilAllDerived(api);
  assert.deepEqual(await find('quokka'), ['Coming and going']);
  await api.publish(document({ draft: true }));
  assert.deepEqual(await find('quokka'), []);
  assert.equal((await fetch(`${api.url}/api/v1/articles/${body.data?.slug}`)).status, 410);
  await api.publish(document({}));
  await eventually('it is found', async () => (await find('quokka')).length === 1);
});

test('no search text causes a server error (A45)', async () => {
  const hostile = [
    "'':*",
    '&|!',
    '!!!',
    ':*',
    "a' | 'b",
    '\\',
    '"',
    '""',
    '"unpaired',
    '- -',
    '<->',
    '(((',
    '🙂',
    '%',
    '_',
    'rules/english',
    'named/event',
    'tag/node',
    '\u0000',
    '\ud800'.toWellFormed(),
    "x'y:A*",
    'a & !b | (c)',
    '-event',
  ];
  for (const q of hostile) {
    const { status, body } = await requestList(api, { q });
    assert.deepEqual([status, Array.isArray(body.data)], [200, true], q);
  }
  assert.equal((await requestList(api, { q: 'x'.repeat(10_000) })).status, 400);
  assert.deepEqual(await find('rules/english'), []);
  assert.deepEqual(await find(''), []);
});

test('a snippet is structured data: parts of the text, some of them marked as matches', async () => {
  await api.publish({
    content: markdown({ title: 'Markup', lang: 'en' }, 'Before `<script>alert("wombat")</script>` and after.'),
  });
  await waitUntilAllDerived(api);
  const { body } = await requestList(api, { q: 'wombat' });
  const parts = body.data[0]?.snippet ?? [];
  assert.deepEqual(
    parts.filter(({ match }) => match).map(({ text }) => text),
    ['wombat'],
  );
  assert.ok(
    parts
      .map(({ text }) => text)
      .join('')
      .includes('<script>'),
  );
});

test('the search words of an article are updated when its text changes', async () => {
  const publish = (body: string) => api.publish({ content: markdown({ title: 'Changing', lang: 'en' }, body) });
  await publish('platypus');
  await waitUntilAllDerived(api);
  await publish('echidna');
  await waitUntilAllDerived(api);
  assert.deepEqual([await find('platypus'), await find('echidna')], [[], ['Changing']]);
  const rows = await api.db.selectFrom('articles').select('derivedVersion').where('title', '=', 'Changing').execute();
  assert.deepEqual(rows, [{ derivedVersion: DERIVED_VERSION }]);
});

test('the list of own articles searches all states, and no articles of others', async () => {
  const own = async (authorId: string, search: string) => {
    const response = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await api.sessions.issue('courant:session', authorId)}`,
      },
      body: JSON.stringify({
        query: 'query ($search: String) { articles(search: $search) { edges { node { title } } } }',
        variables: { search },
      }),
    });
    const { data } = (await response.json()) as { data: { articles: { edges: { node: { title: string } }[] } } };
    return data.articles.edges.map(({ node }) => node.title).sort();
  };
  const other = await api.createAuthor('other');
  assert.deepEqual(await own(api.author.id, 'timers'), ['Later', 'Secret draft', LOOP]);
  assert.deepEqual(await own(api.author.id, 'timers -unpublished'), ['Later', LOOP]);
  for (const search of ['timers', 'unpublished', 'Secret draft', '東京', `author/${api.author.id}`])
    assert.deepEqual(await own(other.id, search), [], search);
});

async function find(q: string): Promise<string[]> {
  const { status, body } = await requestList(api, { q });
  assert.equal(status, 200, q);
  return titles(body);
}
