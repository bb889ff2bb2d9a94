/** Tests the sitemap against the rules of sitemaps.org, and `robots.txt`. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createSeries } from '../../../store/series/series.ts';
import { findAll, findText, readXml } from '../../article/support/read-xml.ts';
import { markdown, startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';

let api: TestApi;
let base: string;
before(async () => {
  api = await startTestApi({ env: { CONTENT_SIGNAL: 'search=yes, ai-train=no' } });
  base = `http://localhost:${new URL(api.url).port}`;
});
after(() => api.close());

const get = (path: string) => fetch(`${api.url}${path}`, { redirect: 'manual' });

/** W3C Datetime, which the protocol requires. */
const LASTMOD = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** Reads a sitemap or index, and checks its addresses: absolute, of this host, each once. */
async function readSitemap(path: string, [root, element]: [string, string] = ['urlset', 'url']) {
  const response = await get(path);
  assert.equal(response.status, 200, path);
  assert.equal(response.headers.get('content-type'), 'application/xml; charset=utf-8');
  const text = await response.text();
  assert.ok(Buffer.byteLength(text) <= 50 * 1024 * 1024);
  const document = readXml(text);
  assert.deepEqual([document.name, document.uri], [root, NAMESPACE]);
  assert.ok(document.children.length >= 1 && document.children.length <= 50_000, path);
  const addresses = new Map<string, string | undefined>();
  for (const entry of document.children) {
    const [location, lastmod] = [findText(entry, 'loc') ?? '', findText(entry, 'lastmod')];
    assert.equal(entry.name, element);
    assert.equal(findAll(entry, 'loc').length, 1);
    assert.ok(entry.children.every(({ name }) => ['loc', 'lastmod'].includes(name)));
    assert.ok(location.startsWith(`${base}/`) && location.length < 2_048 && /^[!-~]+$/.test(location), location);
    assert.equal(new URL(location).href, location);
    if (lastmod !== undefined) assert.match(lastmod, LASTMOD);
    assert.ok(!addresses.has(location), `${location} once`);
    addresses.set(location, lastmod);
  }
  return addresses;
}

async function readAll(): Promise<Set<string>> {
  const all = new Set<string>();
  for (const [part] of await readSitemap('/sitemap.xml', ['sitemapindex', 'sitemap'])) {
    for (const [page] of await readSitemap(part.slice(base.length))) all.add(page.slice(base.length));
  }
  return all;
}

async function publish(frontmatter: Record<string, unknown>, author: TestAuthor = api.author) {
  const { body } = await api.publish({ content: markdown(frontmatter) }, { token: author.token });
  assert.ok(body.data, JSON.stringify(body));
  return body.data;
}

test('a site without articles has a sitemap of its own pages', async () => {
  assert.deepEqual([...(await readAll())], ['/', '/about']);
});

test('the sitemap lists each page once: articles with their canonical address here, authors, tags, series, roundups', async () => {
  const series = await createSeries(api.db, { authorId: api.author.id, title: 'A series', now: new Date() });
  await publish({ title: 'An article', tags: ['c++', 'a/b', '日本語', "it's", '..'], series_id: series.id });
  await publish({ title: '日本語の記事', slug: '日本語の記事', tags: ['c++'] });
  await publish({ title: 'From elsewhere', canonical_url: 'https://elsewhere.example/x', tags: ['elsewhere'] });
  await publish({ title: 'A draft', tags: ['draft-only'], draft: true });
  await publish({ title: 'Later', tags: ['later-only'], scheduled_at: '2190-01-01T00:00:00Z' });
  await api.db.insertInto('roundups').values({ week: '2026-W47', state: 'published', at: new Date() }).execute();
  const expected = [
    '/',
    '/about',
    '/roundup',
    '/roundup/2026-W47',
    '/an-article',
    `/${encodeURIComponent('日本語の記事')}`,
  ];
  expected.push(`/authors/${api.author.username}`, `/series/${series.id}`, '/tags/elsewhere');
  expected.push('/tags/c%2B%2B', '/tags/a%2Fb', `/tags/${encodeURIComponent('日本語')}`, "/tags/it's");
  assert.deepEqual([...(await readAll())].sort(), expected.sort());
  for (const page of expected) assert.equal((await get(page)).status, 200, page);
});

test('withdrawn articles and pages of a suspended author leave the sitemap, and republished articles return', async () => {
  const author = await api.createAuthor('leaving');
  const { id } = await publish({ title: 'Leaving', tags: ['leaving'] }, author);
  const mine = ['/authors/leaving', '/leaving', '/tags/leaving'];
  const listMine = async () => [...(await readAll())].filter((page) => mine.includes(page)).sort();
  assert.deepEqual(await listMine(), mine);
  await publish({ id, title: 'Leaving', tags: ['leaving'], draft: true }, author);
  assert.deepEqual(await listMine(), []);
  await publish({ id, title: 'Leaving', tags: ['leaving'] }, author);
  assert.deepEqual(await listMine(), mine);
  await api.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', author.id).execute();
  // Written directly to the database, which reaches the API within a second.
  await eventually('the suspension', async () => (await listMine()).length === 0);
});

test('a part has ten thousand addresses, and a change of an article changes only its part and the part’s time in the index', async () => {
  await publish({ title: 'The last of its part', tags: ['last'] });
  // Simulates ten thousand published articles.
  await sql`select setval('sitemap_places', 9999)`.execute(api.db);
  await sql`alter table sitemap_lists alter column place restart with 10000`.execute(api.db);
  await publish({ title: 'The first of the next', tags: ['first'] });
  const index = () => readSitemap('/sitemap.xml', ['sitemapindex', 'sitemap']);
  const before = await index();
  const [first = '', second = ''] = [0, 1].map((part) => `${base}/sitemap-articles-${part}.xml`);
  assert.deepEqual(
    [...before.keys()].filter((part) => part.includes('articles')),
    [first, second],
  );
  const onlySecond = new Map([[`${base}/the-first-of-the-next`, before.get(second)]]);
  assert.deepEqual(await readSitemap('/sitemap-articles-1.xml'), onlySecond);
  assert.deepEqual([...(await readSitemap('/sitemap-tags-1.xml')).keys()], [`${base}/tags/first`]);

  await publish({ title: 'The last of its part', slug: 'the-last-of-its-part', tags: ['last', 'first'] });
  const after = await index();
  assert.notEqual(after.get(first), before.get(first));
  assert.equal(after.get(second), before.get(second));
  assert.deepEqual(await readSitemap('/sitemap-articles-1.xml'), onlySecond);
});

test('an unknown part gives 404, and an article may have a slug like a part', async () => {
  const nowhere = [
    'articles-99',
    'articles-00',
    'articles--1',
    'series-5',
    'nothing-0',
    'constructor-0',
    'articles',
    'tags-9999999',
  ];
  for (const part of nowhere) assert.equal((await get(`/sitemap-${part}.xml`)).status, 404, part);
  await publish({ title: 'Sitemap guide', slug: 'sitemap-guide' });
  assert.equal((await get('/sitemap-guide')).status, 200);
});

test('robots.txt names the sitemap and the site’s content signal', async () => {
  const response = await get('/robots.txt');
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
  const text = await response.text();
  assert.match(text, /^Content-Signal: search=yes, ai-train=no$/m);
  assert.ok(text.includes(`Sitemap: ${base}/sitemap.xml`));
});
