/** Tests the feeds of the site, an author, a tag and a series. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { buildSiteList, LIST_FOLDERS } from '../../../api/articles/alternates/reader-lists.ts';
import { createSeries, renameSeries } from '../../../store/series/series.ts';
import { markdown, startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { preparePython } from '../../support/python.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi({ env: { CONTENT_SIGNAL: 'search=yes' } });
});
after(() => api.close());

const python = preparePython();
const FILES = ['feed.xml', 'atom.xml', 'feed.json'] as const;

interface JsonFeed {
  version: string;
  title: string;
  home_page_url: string;
  feed_url: string;
  items: { id: string; url: string; title: string; content_html?: string; content_text?: string; tags: string[] }[];
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}${path}`, { headers, redirect: 'manual' });
async function readFeed(path: string): Promise<JsonFeed> {
  const response = await get(path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as JsonFeed;
}
const listTitles = async (path: string) => (await readFeed(path)).items.map(({ title }) => title);

async function publish(author: TestAuthor, frontmatter: Record<string, unknown>, body = 'A text.\n') {
  const answer = await api.publish({ content: markdown(frontmatter, body) }, { token: author.token });
  assert.ok(answer.body.data, JSON.stringify(answer.body));
  return answer.body.data;
}

test('every list has three feeds with their types, which link to themselves and to the page', async () => {
  const author = await api.createAuthor('listed');
  const series = await createSeries(api.db, { authorId: author.id, title: 'On <feeds> & such', now: new Date() });
  await publish(author, { title: 'Listed', tags: ['c++'], series_id: series.id });
  const base = new URL((await readFeed('/feed.json')).home_page_url).origin;
  const types = {
    'feed.xml': 'application/rss+xml',
    'atom.xml': 'application/atom+xml',
    'feed.json': 'application/feed+json',
  };
  for (const page of ['/', '/authors/listed', '/tags/c%2B%2B', `/series/${series.id}`]) {
    const html = await (await get(page)).text();
    for (const file of FILES) {
      const path = `${page.replace(/\/$/, '')}/${file}`;
      await eventually('the end of the second of the change', async () =>
        (await get(path)).headers.has('last-modified'),
      );
      const response = await get(path);
      assert.equal(response.status, 200, path);
      assert.equal(response.headers.get('content-type'), `${types[file]}; charset=utf-8`);
      assert.ok(response.headers.get('etag'));
      const text = await response.text();
      assert.ok(text.includes(`${base}${path}`), `${path} names itself`);
      assert.ok(text.includes('Listed'), path);
      assert.ok(html.includes(`<link rel="alternate" type="${types[file]}" title="`), page);
      assert.ok(html.includes(`href="${base}${path}"`), `${page} leads to ${path}`);
    }
    assert.equal((await readFeed(`${page.replace(/\/$/, '')}/feed.json`)).home_page_url, `${base}${page}`);
  }
  assert.equal((await readFeed(`/series/${series.id}/feed.json`)).title, 'On <feeds> & such');
  await renameSeries(api.db, { authorId: author.id, seriesId: series.id, title: 'Renamed' });
  await eventually('the new title', async () => (await readFeed(`/series/${series.id}/feed.json`)).title === 'Renamed');
});

test('each list has a permanent id, a title, a description and a path', async () => {
  const author = await api.createAuthor('described');
  await api.db.updateTable('users').set({ name: 'Ada' }).where('id', '=', author.id).execute();
  const series = await createSeries(api.db, { authorId: author.id, title: 'On it', now: new Date() });
  await publish(author, { title: 'A part', series_id: series.id });
  const deps = { db: api.db, baseUrl: 'https://c.example' };
  const inSite = { onlyAuthorId: null, cacheTags: ['articles'] };
  assert.deepEqual(buildSiteList(deps), {
    ...{ list: { kind: 'site' }, id: 'https://c.example/', title: 'Courant', path: '/', canBeEmpty: true, ...inSite },
    description: 'Articles, published with Courant.',
  });
  assert.deepEqual(await LIST_FOLDERS['/authors'](deps, 'DESCRIBED'), {
    ...{ list: { kind: 'author', authorId: author.id }, id: `urn:uuid:${author.id}`, title: 'Ada', canBeEmpty: true },
    ...{ description: 'Articles by Ada, published with Courant.', path: '/authors/described' },
    ...{ onlyAuthorId: author.id, cacheTags: [`author:${author.id}`] },
  });
  assert.deepEqual(await LIST_FOLDERS['/tags'](deps, '#C#'), {
    ...{ list: { kind: 'tag', tag: 'c#' }, id: 'https://c.example/tags/c%23', title: '#c#', canBeEmpty: false },
    ...{ description: 'Articles tagged c#, published with Courant.', path: '/tags/c%23', ...inSite },
  });
  assert.deepEqual(await LIST_FOLDERS['/series'](deps, series.id), {
    ...{ list: { kind: 'series', seriesId: series.id }, id: `urn:uuid:${series.id}`, title: 'On it' },
    ...{ description: 'A series by Ada, published with Courant.', path: `/series/${series.id}`, canBeEmpty: false },
    ...{ onlyAuthorId: author.id, cacheTags: [`series:${series.id}`, `author:${author.id}`] },
  });
  for (const find of Object.values(LIST_FOLDERS)) assert.equal(await find(deps, '\0'), undefined);
  const absent = await get('/tags/no-such-tag/feed.json');
  assert.equal(((await absent.json()) as { detail: string }).detail, 'There is no feed at this address.');
});

test('the feed of an author, tag or series that is unknown or has nothing public gives 404', async () => {
  const author = await api.createAuthor('quiet');
  const { id } = await createSeries(api.db, { authorId: author.id, title: 'Nothing yet', now: new Date() });
  await publish(author, { title: 'Not yet', tags: ['only-drafts'], series_id: id, draft: true });
  const nowhere = ['/authors/nobody', '/tags/no-such-tag', '/tags/only-drafts', '/tags/%20', '/tags/%00'];
  nowhere.push(`/series/${id}`, '/series/00000000-0000-4000-8000-000000000000', '/series/x');
  for (const list of nowhere) {
    for (const file of FILES) assert.equal((await get(`${list}/${file}`)).status, 404, `${list}/${file}`);
    assert.equal((await get(list)).status, 404, list);
  }
  assert.deepEqual(await listTitles('/authors/quiet/feed.json'), []);
});

test('a feed shows changes at once, and no articles that are not public or of suspended authors', async () => {
  const author = await api.createAuthor('changing');
  const title = 'Shown and taken back';
  const lists = ['/feed.json', '/authors/changing/feed.json', '/tags/changing/feed.json'];
  const article = await publish(author, { title, tags: ['changing', 'kept'] });
  await publish(author, { title: 'Stays', tags: ['changing'] });
  await publish(author, { title: 'A draft', tags: ['changing'], draft: true });
  await publish(author, { title: 'Later', tags: ['changing'], scheduled_at: '2190-01-01T00:00:00Z' });
  for (const list of lists) {
    const titles = await listTitles(list);
    assert.ok(titles.includes(title) && titles.includes('Stays'), list);
    assert.ok(!titles.includes('A draft') && !titles.includes('Later'), list);
  }
  await publish(author, { id: article.id, title: 'Shown anew', tags: ['changed', 'kept'] }, 'Another text.\n');
  assert.ok((await listTitles('/feed.json')).includes('Shown anew'));
  assert.deepEqual(await listTitles('/tags/changing/feed.json'), ['Stays']);
  assert.deepEqual(await listTitles('/tags/changed/feed.json'), ['Shown anew']);
  await publish(author, { id: article.id, title: 'Shown anew', tags: ['changed', 'kept'], draft: true });
  assert.ok(!(await listTitles('/feed.json')).includes('Shown anew'));
  for (const tag of ['changed', 'kept']) assert.equal((await get(`/tags/${tag}/feed.json`)).status, 404);
  await api.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', author.id).execute();
  await eventually('the feed without the author', async () => !(await listTitles('/feed.json')).includes('Stays'));
  for (const list of ['/authors/changing', '/tags/changing']) {
    await eventually(`${list} is gone`, async () => (await get(`${list}/feed.json`)).status === 404);
  }
});

test("of an author's articles with one canonical URL the oldest is listed, regardless of articles of other authors", async () => {
  const [first, second] = [await api.createAuthor('first'), await api.createAuthor('second')];
  const shared = { canonical_url: 'https://elsewhere.example/shared', tags: ['shared'] };
  await publish(second, { title: 'Of another author', ...shared });
  await publish(first, { title: 'The original', id: 'original', ...shared });
  await publish(first, { title: 'The copy', id: 'copy', ...shared });
  assert.deepEqual(await listTitles('/tags/shared/feed.json'), ['The original', 'Of another author']);
});

test('a tag has one address, whatever it contains and however it is written', async () => {
  const author = await api.createAuthor('tagger');
  const tags = [
    'c#',
    '日本語',
    'a/b',
    'עברית',
    '100%',
    'a b',
    'x?y=1&z',
    "it's",
    'back\\slash',
    '.net',
    '...',
    'feed.xml',
  ];
  await publish(author, { title: 'Much tagged', tags: [...tags, '..', '.'] });
  for (const tag of tags) {
    const path = `/tags/${encodeURIComponent(tag)}`;
    assert.deepEqual(await listTitles(`${path}/feed.json`), ['Much tagged'], tag);
    assert.match(await (await get(path)).text(), /Much tagged/);
  }
  const moved = await get('/tags/%23C%23/feed.xml');
  assert.deepEqual([moved.status, moved.headers.get('location')], [301, '/tags/c%23/feed.xml']);
  const page = await get('/tags/C%23');
  assert.equal(page.status, 301);
  assert.match(page.headers.get('location') ?? '', /\/tags\/c%23$/);
});

test('a feed has the newest thirty articles, and omits texts above its size limit', async () => {
  const author = await api.createAuthor('prolific');
  for (let number = 1; number <= 31; number++) {
    await publish(author, { title: `Number ${number}` });
  }
  const articles = api.db.selectFrom('articles').where('authorId', '=', author.id);
  await eventually('the texts', async () => {
    const underived = await articles.select('id').where('derivedVersion', '=', 0).execute();
    return underived.length === 0;
  });
  // The five newest texts exceed the limit together.
  await sql`update articles set derived = jsonb_set(derived, '{html}', to_jsonb(repeat('Some words. ', 42000)))
    where author_id = ${author.id} and title ~ '(2[7-9]|3[01])$'`.execute(api.db);
  await eventually(
    'the long texts',
    async () => (await (await get('/authors/prolific/feed.json')).text()).length > 1e6,
  );
  const response = await get('/authors/prolific/feed.json');
  const text = await response.text();
  const { items } = JSON.parse(text) as JsonFeed;
  assert.equal(items.length, 30);
  assert.equal(items[0]?.title, 'Number 31');
  assert.ok(text.length < 3 * 1024 * 1024, `${text.length}`);
  const texts = items.map(({ content_html: content }) => content !== undefined);
  assert.ok(texts[0]);
  assert.equal(texts.at(-1), false);
  assert.ok(items.every((item) => item.content_html !== undefined || item.content_text !== undefined));
});

test('a conditional request for the current version gives 304', async () => {
  const author = await api.createAuthor('asked-again');
  await publish(author, { title: 'Once' });
  for (const file of FILES) {
    const first = await get(`/authors/asked-again/${file}`);
    const etag = first.headers.get('etag') ?? '';
    assert.equal((await get(`/authors/asked-again/${file}`, { 'if-none-match': etag })).status, 304);
  }
});

const READ = `
import feedparser, json, sys
def read(text):
    feed = feedparser.parse(text.encode('utf-8'), response_headers={'content-type': 'application/xml; charset=utf-8'})
    return {'bozo': bool(feed.bozo), 'why': str(feed.get('bozo_exception', '')), 'version': feed.version,
        'self': [link.href for link in feed.feed.links if link.rel == 'self'],
        'entries': [{'id': e.id, 'title': e.title, 'link': e.link, 'published': e.published_parsed[:6], 'updated': e.updated_parsed[:6],
            'tags': [t.term for t in e.get('tags', [])], 'author': e.author, 'content': [c.value for c in e.get('content', [])],
            'summary': e.get('summary', '')} for e in feed.entries]}
print(json.dumps([read(text) for text in json.load(sys.stdin)]))
`;

interface Parsed {
  bozo: boolean;
  why: string;
  version: string;
  self: string[];
  entries: {
    id: string;
    title: string;
    link: string;
    tags: string[];
    author: string;
    content: string[];
    summary: string;
  }[];
}

test('feedparser reads feeds without errors, even with hostile articles (A48)', { skip: python.skip }, async () => {
  const author = await api.createAuthor('hostile');
  await api.db.updateTable('users').set({ name: 'O’Brien ]]> <b>&amp;</b>' }).where('id', '=', author.id).execute();
  const hostile = [
    'Text with ]]> and <![CDATA[ and &#1; &#xfffe; &nbsp; <script>alert(1)</script>',
    '```xml\n<item><title>]]></title></item>\n```\n\n| a | b |\n|---|---|\n| ]]> | `]]>` |',
    'A ![picture](/p.png) and [link](../other?a=1&b=2), \u202eright to left\u202c, 日本語, 👩‍💻, $x^2 < y$.',
    '<details open><summary>More &lt;/item&gt;</summary>\n\n- [x] done\n\n</details>',
    '',
  ];
  for (const [index, body] of hostile.entries()) {
    await publish(
      author,
      {
        title: `Hostile ${index} ]]> & "quoted" </title>`,
        tags: ['a&b', '<tag>', 'عربي', `n${index}`],
        excerpt: 'An ]]> excerpt & more',
      },
      `${body}\n`,
    );
  }
  const texts = await Promise.all(
    ['/authors/hostile/feed.xml', '/authors/hostile/atom.xml', '/feed.xml', '/atom.xml'].map(async (path) =>
      (await get(path)).text(),
    ),
  );
  const feeds = (await python.run(READ, JSON.stringify(texts))) as Parsed[];
  for (const { bozo, why, self, entries } of feeds) {
    assert.equal(bozo, false, why);
    assert.equal(self.length, 1);
    assert.ok(entries.every(({ id, link, author }) => id.startsWith('urn:uuid:') && link.startsWith('http') && author));
  }
  assert.deepEqual(
    feeds.slice(0, 2).map(({ version }) => version),
    ['rss20', 'atom10'],
  );
  const [rss, atom] = feeds;
  assert.equal(rss?.entries.length, 5);
  assert.deepEqual(
    rss?.entries.map(({ id }) => id),
    atom?.entries.map(({ id }) => id),
  );
  const table = rss?.entries.find(({ title }) => title.startsWith('Hostile 1'));
  assert.match(table?.content[0] ?? '', /<table>/);
  assert.deepEqual(table?.tags, ['a&b', '<tag>', 'عربي', 'n1']);
  assert.match(atom?.entries[0]?.title ?? '', /\]\]> & "quoted"/);
});
