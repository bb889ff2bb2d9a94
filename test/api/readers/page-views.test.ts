/** The endpoint that receives page views. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listPageViews } from '../../../store/page-views/list-page-views.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { addArticle } from '../../support/api/readership.ts';
import { eventually } from '../../support/eventually.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let api: TestApi;
before(async () => {
  // Forwarded addresses simulate several readers from one machine.
  api = await startTestApi({ env: { TRUST_PROXY: '127.0.0.1', BASE_URL: 'https://blog.example' } });
});
after(() => api.close());

interface Sent {
  body?: string;
  address?: string;
  userAgent?: string;
  type?: string;
  headers?: Record<string, string>;
}

function send(slug: string, sent: Sent = {}): Promise<Response> {
  const { body = '', address = '192.0.2.1', userAgent = FIREFOX, type = 'text/plain;charset=UTF-8', headers } = sent;
  return fetch(`${api.url}/api/v1/articles/${slug}/readings`, {
    method: 'POST',
    body,
    headers: { 'user-agent': userAgent, 'x-forwarded-for': address, 'content-type': type, ...headers },
  });
}

const read = async (slug: string) => (await listPageViews(api.db, { authorId: api.author.id, slug, days: 1 }))[0];
const reaches = (slug: string, views: number) =>
  eventually(`${views} views`, async () => ((await read(slug))?.views ?? 0) >= views && read(slug), {
    withinMs: 30_000,
  });

test('a reader counts once with views, reading time and the host of the referrer', async () => {
  const { slug } = await addArticle(api.db, api.author.id);
  const referrer = 'https://WWW.News.Example/item?id=42#secret';
  const responses = [
    await send(slug, { body: JSON.stringify({ referrer }) }),
    await send(slug, { body: JSON.stringify({ seconds: 30.4, referrer }), type: 'application/json' }),
    await send(slug, { body: '{"seconds":12}' }),
    await send(slug, { address: '192.0.2.2' }),
    await send(slug, { userAgent: FIREFOX.replaceAll('140', '141') }),
  ];
  for (const response of responses) {
    assert.equal(response.status, 204);
    assert.equal(response.headers.get('set-cookie'), null);
  }
  await reaches(slug, 3);
  const day = await eventually('the time', async () =>
    (await read(slug))?.readingSeconds === 42 ? read(slug) : undefined,
  );
  assert.deepEqual(day?.hosts, [
    { host: 'direct', views: 2 },
    { host: 'news.example', views: 1 },
  ]);
});

test('a referrer at this site counts as direct', async () => {
  const { slug } = await addArticle(api.db, api.author.id);
  for (const [n, referrer] of [
    'https://blog.example/',
    'https://www.blog.example/authors/a',
    'https://other.example/',
  ].entries()) {
    await send(slug, { body: JSON.stringify({ referrer }), address: `192.0.2.${n}` });
  }
  assert.deepEqual((await reaches(slug, 3))?.hosts, [
    { host: 'direct', views: 2 },
    { host: 'other.example', views: 1 },
  ]);
});

test('all addresses of an IPv6 network are one reader', async () => {
  const { slug } = await addArticle(api.db, api.author.id);
  await send(slug, { address: '2001:db8:1:2::1' });
  await send(slug, { address: '2001:db8:1:2:ffff::9' });
  await send(slug, { address: '2001:db8:1:3::1' });
  await reaches(slug, 2);
  assert.equal((await read(slug))?.views, 2);
});

test('bots and readers who opt out are not counted', async () => {
  const { slug } = await addArticle(api.db, api.author.id);
  for (const userAgent of ['Googlebot/2.1 (+http://www.google.com/bot.html)', 'curl/8.9', 'HeadlessChrome/130']) {
    assert.equal((await send(slug, { userAgent })).status, 204);
  }
  await send(slug, { headers: { 'sec-gpc': '1' } });
  await send(slug, { headers: { dnt: '1' } });
  await send(slug, { address: '192.0.2.77' });
  await reaches(slug, 1);
  assert.equal((await read(slug))?.views, 1);
});

test('stored values do not identify readers', async () => {
  const { id, slug } = await addArticle(api.db, api.author.id);
  const other = await addArticle(api.db, api.author.id);
  for (const one of [slug, other.slug]) await send(one, { address: '198.51.100.23', userAgent: `${FIREFOX} Unique/1` });
  await reaches(slug, 1);
  await reaches(other.slug, 1);
  const rows = await api.db.selectFrom('readingVisitors').selectAll().execute();
  assert.doesNotMatch(JSON.stringify(rows), /198\.51|Unique|Firefox/);
  // Hashes differ per article, so that the views of one reader cannot be linked within a day.
  const hashes = (articleId: string) =>
    rows
      .filter((row) => row.articleId === articleId)
      .flatMap(({ network, visitor }) => [network.toString('hex'), visitor.toString('hex')]);
  const ofOther = hashes(other.id);
  assert.deepEqual(
    hashes(id).filter((one) => ofOther.includes(one)),
    [],
  );
});

test('malformed reports are rejected, and the response does not reveal whether an article exists', async () => {
  const { slug } = await addArticle(api.db, api.author.id);
  for (const body of ['{', '[]', '"x"', '{"seconds":-1}', '{"seconds":"9"}', '{"referrer":1}', 'seconds=9']) {
    const response = await send(slug, { body });
    assert.equal(response.status, 400, body);
    assert.equal(((await response.json()) as { code: string }).code, 'malformed_reading');
  }
  assert.equal((await send(slug, { body: 'x'.repeat(5_000) })).status, 413);
  assert.equal((await send(slug, { type: 'application/x-www-form-urlencoded', body: 'a=1' })).status, 415);
  assert.equal((await send('no-such-article')).status, 204);
  assert.equal((await send('%00')).status, 204);
  for (const referrer of [
    'javascript:alert(1)',
    'https://user:pw@[::1]/',
    'https://localhost/',
    'https://a_b.example.',
    'x',
  ]) {
    assert.equal(
      (await send(slug, { body: JSON.stringify({ referrer, seconds: 1e300 }), address: '203.0.113.1' })).status,
      204,
    );
  }
});

test('a flood from one network is limited, and views from other networks still count', async () => {
  const { slug } = await addArticle(api.db, api.author.id);
  const statuses = new Map<number, number>();
  for (let n = 0; n < 400; n += 50) {
    const batch = Array.from({ length: 50 }, (_, k) =>
      send(slug, { address: '192.0.2.200', userAgent: `${FIREFOX} ${n + k}` }),
    );
    for (const { status } of await Promise.all(batch)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  assert.deepEqual([...statuses.keys()].sort(), [204, 429]);
  assert.equal(statuses.get(204), 300);
  assert.equal((await send(slug, { address: '192.0.2.201' })).status, 204);
  await reaches(slug, 51);
  assert.equal((await read(slug))?.views, 51);
});

test('queued page views are written when the API stops', async () => {
  const { slug } = await addArticle(api.db, api.author.id);
  const second = await startTestApi({
    databaseUrl: api.databaseUrl,
    home: api.home,
    env: { TRUST_PROXY: '127.0.0.1' },
  });
  const response = await fetch(`${second.url}/api/v1/articles/${slug}/readings`, {
    method: 'POST',
    headers: { 'user-agent': FIREFOX, 'content-type': 'text/plain' },
    body: '',
  });
  assert.equal(response.status, 204);
  await second.close();
  assert.equal((await read(slug))?.views, 1);
});
