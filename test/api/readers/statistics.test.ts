/** Statistics pages at the desk, without script. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addPageView } from '../../support/add-page-view.ts';
import { startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { addArticle, addPerson, react } from '../../support/api/readership.ts';
import { countQueries } from '../../support/database/count-queries.ts';

const NOW = new Date('2026-11-22T12:00:00Z');

let api: TestApi;
before(async () => {
  api = await startTestApi({ now: () => NOW });
});
after(() => api.close());

async function open(author: TestAuthor, path = '/desk/statistics') {
  const cookie = `courant_session=${await api.sessions.issue('courant:cookie', author.id)}`;
  const answer = await fetch(api.url + path, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' });
  return { status: answer.status, page: await answer.text() };
}

async function addRead(author: TestAuthor, title: string, { views = 1, host = 'direct' } = {}): Promise<string> {
  const { id } = await addArticle(api.db, author.id, { title });
  await addPageView(api.db, { articleId: id, views, readingSeconds: views * 60, now: NOW, host });
  return id;
}

const countTags = (page: string, tag: string) => page.split(`<${tag}`).length - 1;

test('an author without articles sees an explanation of the page', async () => {
  const { status, page } = await open(await api.createAuthor('new-author'));
  assert.equal(status, 200);
  assert.match(page, /After you publish an article, its views/);
  assert.equal(countTags(page, 'figure'), 0);
});

test('every plot has a name, a description and a table; days without views are zero', async () => {
  const author = await api.createAuthor('read-author');
  await addRead(author, 'Read', { views: 1_234 });
  const { page } = await open(author, '/desk/statistics?range=7d');
  assert.equal(countTags(page, 'figure'), 6);
  assert.equal(countTags(page, 'desc'), 6);
  assert.match(
    page,
    /<desc id="plot-views-description">By day, Nov 16, 2026 to Nov 22, 2026: 1,234 in total, 0 in the previous period/,
  );
  const [, views = ''] = /aria-label="Views: data".*?<tbody>(.*?)<\/tbody>/s.exec(page) ?? [];
  assert.deepEqual(
    [...views.matchAll(/<td>(.*?)<\/td>/g)].map(([, value]) => value),
    ['0', '0', '0', '0', '0', '0', '1,234'],
  );
  assert.doesNotMatch(page, / style=|NaN|Infinity|undefined/);
  for (const range of ['7d', '30d', '90d', '12m']) {
    const other = await open(author, `/desk/statistics?range=${range}`);
    assert.match(other.page, new RegExp(`range=${range}" aria-current="true"`));
    assert.ok(other.page.length < 150 * 1024, `${range}: ${other.page.length} bytes`);
  }
});

test('the statistics of an article are visible only to its author and until it is deleted', async () => {
  const author = await api.createAuthor('owner');
  const id = await addRead(author, 'Mine <b>');
  const { status, page } = await open(author, `/desk/statistics/${id}`);
  assert.equal(status, 200);
  assert.match(page, /<h2 class="subject" dir="auto">Mine &lt;b&gt;<\/h2>/);
  assert.equal(countTags(page, 'figure'), 4);
  const stranger = await api.createAuthor('stranger');
  assert.equal((await open(stranger, `/desk/statistics/${id}`)).status, 404);
  for (const wrong of ['nothing', '00000000-0000-4000-8000-000000000000', '%00']) {
    assert.equal((await open(author, `/desk/statistics/${wrong}`)).status, 404, wrong);
  }
  await api.db.updateTable('articles').set({ deletedAt: NOW, status: 'DRAFT' }).where('id', '=', id).execute();
  assert.equal((await open(author, `/desk/statistics/${id}`)).status, 404);
  assert.match((await open(author)).page, /Articles deleted since then/);
});

test('site names are shown as text, not as links, and cannot imitate another name', async () => {
  const author = await api.createAuthor('well-linked');
  const hosts = {
    'xn--pple-43d.com': /<bdi dir="ltr">xn--pple-43d\.com<\/bdi>/,
    'xn--a.example': /<bdi dir="ltr">xn--a\.example<\/bdi><svg/,
    '<script>alert(1)</script>.example': /&lt;script&gt;alert\(1\)&lt;\/script&gt;\.example/,
    '"onload="x.example': /&quot;onload=&quot;x\.example/,
    'safe\u202Emoc.live.example': /<bdi dir="ltr">safe\u202Emoc\.live\.example<\/bdi>/,
    [`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.example`]: /c{63}\.example/,
  };
  for (const host of Object.keys(hosts)) await addRead(author, host, { host, views: 2 });
  for (let n = 0; n < 16; n++) await addRead(author, `More ${n}`, { host: `h${n}.example` });
  const { page } = await open(author);
  assert.match(page, /<span class="soft">2 more<\/span>/);
  const [table = ''] = /<table class="data-table sources">.*?<\/table>/s.exec(page) ?? [];
  for (const [host, pattern] of Object.entries(hosts)) assert.match(table, pattern, host);
  assert.doesNotMatch(table, /<a |<script/);
});

test('the ranking has pages, and an unknown page or range is not an error', async () => {
  const author = await api.createAuthor('prolific');
  for (let n = 1; n <= 30; n++) await addRead(author, `Number ${n}`, { views: 100 - n });
  const first = await open(author);
  assert.match(first.page, /1 to 25 of 30.*page=2#articles">Fewer views/s);
  assert.doesNotMatch(first.page, /Number 26/);
  const second = await open(author, '/desk/statistics?page=2');
  assert.match(second.page, /Number 26<.*26 to 30 of 30/s);
  for (const query of ['page=9', 'page=-1', 'page=2&page=3', 'range=x', 'range=7d&range=30d', 'page=%00']) {
    assert.equal((await open(author, `/desk/statistics?${query}`)).status, 200, query);
  }
});

test('the number of database queries does not depend on the number of articles', async () => {
  const [few, many] = [await api.createAuthor('few'), await api.createAuthor('many')];
  await addRead(few, 'Only');
  for (let n = 0; n < 20; n++) {
    const id = await addRead(many, `Many ${n}`, { host: `h${n}.example` });
    await react(api.db, id, await addPerson(api.db), NOW);
  }
  for (const path of ['/desk/statistics', '/desk/statistics?range=12m']) {
    const counts: number[] = [];
    for (const author of [few, many]) counts.push((await countQueries(() => open(author, path))).queries);
    assert.equal(counts[0], counts[1], path);
    assert.ok((counts[0] ?? 99) <= 12, `${path}: ${counts[0]} statements`);
  }
});
