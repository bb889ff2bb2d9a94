import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/eventually.ts';
import { readAllSlugs, requestList, titles, waitUntilAllDerived } from './support/lists.ts';

const COUNT = 23;

let api: TestApi;
let published = 0;
before(async () => {
  api = await startTestApi();
  for (let n = 0; n < COUNT; n++) await publishOne();
  await waitUntilAllDerived(api);
});
after(() => api.close());

async function publishOne(): Promise<void> {
  published += 1;
  const tags = published % 2 === 0 ? ['even', 'Web Dev'] : ['odd'];
  const frontmatter = { title: `Number ${published}`, tags, lang: 'en', subtitle: 'A subtitle' };
  const { status } = await api.publish({ content: markdown(frontmatter, `About numbers, ${published} of them.`) });
  assert.equal(status, 201);
}

test('pages of any size list each article once while others are published', async () => {
  for (const q of [undefined, 'number']) {
    for (const first of ['1', '4', '50']) {
      const known = (await readAllSlugs(api, { first: '50', ...(q && { q }) })).sort();
      let more = 3;
      const found = await readAllSlugs(api, { first, ...(q && { q }) }, async () => {
        if (more-- > 0) await publishOne();
      });
      assert.equal(new Set(found).size, found.length, `${q} ${first}`);
      assert.deepEqual(found.filter((slug) => known.includes(slug)).sort(), known, `${q} ${first}`);
      await waitUntilAllDerived(api);
    }
  }
});

test('the filters tag and author apply to the list and to searches', async () => {
  const other = await api.createAuthor('somebody');
  await api.publish(
    { content: markdown({ title: 'Of somebody', tags: ['even'], lang: 'en' }, 'About numbers.') },
    other,
  );
  await waitUntilAllDerived(api);
  for (const q of [{}, { q: 'numbers' }]) {
    const [even, odd, ofOther, upperCase, both, nobody] = await Promise.all([
      readAllSlugs(api, { tag: 'even', ...q }),
      readAllSlugs(api, { tag: 'odd', ...q }),
      readAllSlugs(api, { author: 'somebody', ...q }),
      readAllSlugs(api, { author: 'Somebody', ...q }),
      readAllSlugs(api, { author: 'somebody', tag: 'odd', ...q }),
      readAllSlugs(api, { author: 'nobody', ...q }),
    ]);
    assert.equal(even.length + odd.length, published + 1);
    assert.deepEqual([ofOther, upperCase, both, nobody], [['of-somebody'], ['of-somebody'], [], []]);
  }
});

test('an entry has its specified fields, and its links resolve', async () => {
  const { headers, body } = await requestList(api, { first: '1', author: api.author.username });
  const [entry] = body.data;
  assert.ok(entry);
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.deepEqual([entry.canonicalUrl, new URL(entry.url).pathname], [entry.url, `/${entry.slug}`]);
  assert.equal(entry.subtitle, 'A subtitle');
  assert.deepEqual([entry.language, entry.readingTimeMinutes, entry.series], ['en', 1, null]);
  for (const url of [entry.url, entry.author.url, entry.links.document, entry.links.description])
    assert.equal((await fetch(url)).status, 200, url);
  const one = await fetch(`${api.url}/api/v1/articles/${entry.slug}`);
  assert.deepEqual(await one.json(), entry);
  const again = { headers: { 'if-none-match': one.headers.get('etag') ?? '' } };
  assert.equal((await fetch(`${api.url}/api/v1/articles/${entry.slug}`, again)).status, 304);
});

test('a moved, withdrawn or unknown article gives the same status as at its other addresses', async () => {
  const publish = (more: object) => api.publish({ content: markdown({ title: 'Moving', id: 'moving', ...more }) });
  const look = (slug: string) => fetch(`${api.url}/api/v1/articles/${slug}`, { redirect: 'manual' });
  await publish({ slug: 'before-move' });
  await publish({ slug: 'after-move' });
  const moved = await look('before-move');
  assert.deepEqual([moved.status, moved.headers.get('location')], [301, '/api/v1/articles/after-move']);
  await publish({ draft: true });
  const statuses = await Promise.all(['after-move', 'never-was', '%00', 'x'.repeat(500)].map(look));
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [410, 404, 404, 404],
  );
});

test('a withdrawal updates Last-Modified of the list, whichever articles remain', async () => {
  const publish = (more: object) =>
    api.publish({ content: markdown({ title: 'Leaving', id: 'leaving', tags: ['left'], ...more }) });
  await publish({});
  const list = (since = '') =>
    fetch(`${api.url}/api/v1/articles?tag=left`, { headers: { 'if-modified-since': since } });
  let since = '';
  await eventually('the end of the second of the publish', async () => {
    since = (await list()).headers.get('last-modified') ?? '';
    return since !== '' && (await list(since)).status === 304;
  });
  await publish({ draft: true });
  const after = await list(since);
  assert.deepEqual([after.status, ((await after.json()) as { data: unknown[] }).data], [200, []]);
});

test('all invalid parameters are reported at once', async () => {
  const paths = async (address: string) => {
    const response = await fetch(`${api.url}/api/v1/articles?${address}`);
    assert.equal(response.status, 400, address);
    return ((await response.json()) as { errors: { path: string }[] }).errors.map(({ path }) => path);
  };
  assert.deepEqual(await paths('first=0&limit=3&q=a&q=b'), ['limit', 'q', 'first']);
  for (const first of ['-1', '51', '1.5', '1e1', 'x', '', '%00'])
    assert.deepEqual(await paths(`first=${first}`), ['first']);
  assert.deepEqual(await paths('tag=%00&author=%00'), ['tag', 'author']);
  const { body } = await requestList(api, { first: '1' });
  assert.deepEqual(await paths(`tag=even&after=${body.next}`), ['after']);
  assert.deepEqual(await paths(`q=number&after=${body.next}`), ['after']);
});

test('a forged cursor is rejected (A49)', async () => {
  const { body } = await requestList(api, { q: 'number', first: '1' });
  const [name] = JSON.parse(Buffer.from(body.next ?? '', 'base64url').toString()) as [string];
  for (const held of ['', '[]', 'null', '{"a":', '["x",{}]', `["${name}",null]`, `["${name}",{"id":"x"}]`]) {
    const after = Buffer.from(held).toString('base64url');
    assert.equal((await requestList(api, { q: 'number', after })).status, 400, held);
  }
});

test('any origin may read the list, and CORS does not allow publishing', async () => {
  const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' };
  for (const path of ['', '/number-1']) {
    const preflight = await fetch(`${api.url}/api/v1/articles${path}`, { method: 'OPTIONS', headers });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
    assert.equal(preflight.headers.get('access-control-allow-methods'), 'GET, HEAD');
  }
  const bad = await fetch(`${api.url}/api/v1/articles?first=x`, { headers });
  assert.equal(bad.headers.get('access-control-allow-origin'), '*');
  assert.deepEqual(titles((await requestList(api, { q: 'Number 1', first: '1' })).body), ['Number 1']);
});

test('searches of one network are limited per minute, lists are not (A45)', async () => {
  let last = await requestList(api, { q: 'number' });
  // Twice the limit: a minute can end meanwhile.
  for (let sent = 0; sent < 250 && last.status === 200; sent++) last = await requestList(api, { q: 'zebra' });
  assert.deepEqual([last.status, last.body.code], [429, 'rate_limited']);
  assert.ok(Number(last.headers.get('retry-after')) > 0);
  assert.equal((await requestList(api, {})).status, 200);
});
