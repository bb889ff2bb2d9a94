/** The posts of feeds: of any blog, of Medium, and of a Hashnode blog with a closed API. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SOURCES } from '../../sources/registry.ts';
import type { SourcePage, SourceResult } from '../../sources/types.ts';
import { createContext, startSource } from './support.ts';

function expectPage(result: SourceResult<SourcePage>): SourcePage {
  assert.ok(result.kind === 'done', JSON.stringify(result));
  return result.value;
}
const context = createContext();
const item = (id: string) =>
  `<item><title>${id}</title><guid isPermaLink="false">${id}</guid><description>Text of ${id}.</description></item>`;
const rss = (items: string, head = '') =>
  `<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>B</title>${head}${items}</channel></rss>`;
const XML = { 'content-type': 'application/rss+xml' };

test('a Hashnode blog whose API is closed is read from its feed, with a notice', async (t) => {
  const server = await startSource(t);
  const place = { baseUrl: `${server.origin}/api`, name: server.origin, origin: 'x' };
  const closed = { body: { errors: [{ message: 'Only on Pro.', extensions: { code: 'FORBIDDEN' } }] } };
  const plan = 'Hashnode allows API access to a blog only on its paid plan.';
  const list = (cursor: object = {}, name = place.name) =>
    SOURCES.blogsite_b.list({ ...place, name }, { page: 1, ...cursor }, context);
  server.next(closed, { body: rss(item('one')), headers: XML });
  const { posts: listed, notices } = expectPage(await list());
  assert.deepEqual(
    listed.map(({ post }) => post.title),
    ['one'],
  );
  assert.deepEqual(notices, [
    { code: 'read_from_feed', message: `${plan} Its feed was read instead, which may lack posts and has no series.` },
  ]);
  assert.deepEqual(server.requests, ['POST /api', 'GET /rss.xml']);
  server.next(closed, { status: 404 });
  const reason = `${plan} There is no feed at this address (HTTP 404).`;
  assert.deepEqual(await list(), { kind: 'refused', code: 'not_found', reason });
  server.next(closed, { status: 503 });
  assert.equal((await list()).kind, 'later');
  // Not for a user, nor after the first page.
  for (const [cursor, name] of [
    [{}, 'ann'],
    [{ page: 2 }, place.name],
  ] as const) {
    server.next(closed);
    assert.deepEqual(await list(cursor, name), { kind: 'refused', code: 'plan_required', reason: plan });
  }
  server.next({ body: rss(item('two')), headers: XML });
  assert.equal(expectPage(await list({ page: 2, url: `${server.origin}/rss.xml?page=2` })).posts.length, 1);
  assert.equal(server.requests.at(-1), 'GET /rss.xml?page=2');
});

test('a feed continues at the address that it names, but never at one that was read', async (t) => {
  const server = await startSource(t);
  const place = { baseUrl: `${server.origin}/feed`, name: '', origin: 'x' };
  const list = (cursor: object = {}) => SOURCES.rss.list(place, { page: 1, ...cursor }, context);
  const link = (path: string) => `<atom:link rel="prev-archive" href="${server.origin}${path}"/>`;
  server.next({ body: rss(`${item('one')}<item><guid>e</guid></item>`, link('/2')), headers: XML });
  const first = expectPage(await list());
  assert.deepEqual(first.next, { page: 2, url: `${server.origin}/2`, seen: [place.baseUrl] });
  assert.deepEqual(first.notices, [
    { code: 'empty_entries', message: '1 entries have neither title nor text and were left out.' },
  ]);
  assert.deepEqual(
    first.posts.map(({ hasBody, account }) => [hasBody, account]),
    [[true, null]],
  );
  assert.match(
    server.received[0]?.headers.accept ?? '',
    /^application\/rss\+xml, application\/atom\+xml, application\/feed\+json/,
  );
  server.next({ body: rss(item('two'), link('/feed')), headers: XML });
  assert.deepEqual(expectPage(await list(first.next ?? {})).next, null);
  const seen = (count: number) => Array.from({ length: count }, (_, index) => `${server.origin}/seen-${index}`);
  server.next(
    { body: rss(item('x'), link('/next')), headers: XML },
    { body: rss(item('x'), link('/next')), headers: XML },
  );
  assert.equal(expectPage(await list({ page: 99, url: place.baseUrl, seen: seen(98) })).next?.page, 100);
  const last = expectPage(await list({ page: 100, url: place.baseUrl, seen: seen(99) }));
  assert.deepEqual(
    [last.next, last.notices],
    [null, [{ code: 'feed_too_long', message: 'The feed has more than 100 pages; later pages were not read.' }]],
  );
});

test('a feed with an unusable encoding is read with a notice, and another response is refused', async (t) => {
  const server = await startSource(t);
  const list = async (answer: Parameters<typeof server.next>[0]) => {
    server.next(answer);
    return SOURCES.rss.list({ baseUrl: server.origin, name: '', origin: 'x' }, { page: 1 }, context);
  };
  const latin = Buffer.from(rss(item('caf\u00e9')).replace('utf-8', 'unknown-1'), 'latin1');
  assert.deepEqual(expectPage(await list({ body: latin, headers: XML })).notices, [
    { code: 'encoding_guessed', message: 'The feed declares no usable encoding; non-English letters may be wrong.' },
  ]);
  const refused = (code: string, reason: string) => ({ kind: 'refused', code, reason });
  for (const status of [404, 410])
    assert.deepEqual(
      await list({ status }),
      refused('not_found', `There is no feed at this address (HTTP ${status}).`),
    );
  assert.deepEqual(await list({ status: 403 }), refused('source_refused', 'The feed is not accessible (HTTP 403).'));
  for (const status of [408, 425]) {
    const answer = await list({ status, headers: { 'retry-after': '7' } });
    assert.deepEqual(answer, {
      kind: 'later',
      reason: `The feed is unavailable (HTTP ${status}).`,
      retryAfterMs: 7_000,
    });
  }
  assert.equal((await list({ body: 'no feed' })).kind, 'refused');
});

test('Medium lists at most ten stories, with their ids and addresses cleaned', async (t) => {
  const server = await startSource(t);
  const story = (id: string) =>
    `<item><title>T</title><link>https://medium.com/@ann/a-title-${id}?source=rss</link><guid isPermaLink="false">https://medium.com/p/${id}</guid><content:encoded><![CDATA[<p>x</p>]]></content:encoded></item>`;
  const feed = (count: number) =>
    rss(Array.from({ length: count }, (_, index) => story(`12345678900${index}`)).join('')).replace(
      '<rss',
      '<rss xmlns:content="http://purl.org/rss/1.0/modules/content/"',
    );
  const list = async (count: number) => {
    server.next({ body: feed(count), headers: XML });
    return expectPage(
      await SOURCES.blogsite_c.list({ baseUrl: server.origin, name: 'ann', origin: 'medium' }, { page: 1 }, context),
    );
  };
  const nine = await list(9);
  assert.deepEqual([nine.next, nine.notices], [null, []]);
  const { remoteId, url, slug, body } = nine.posts[0]?.post ?? assert.fail('no post');
  assert.deepEqual(
    [remoteId, url, slug, body.format],
    ['123456789000', 'https://medium.com/@ann/a-title-123456789000', 'a-title', 'medium'],
  );
  assert.deepEqual((await list(10)).notices, [
    {
      code: 'only_newest',
      message: 'Medium lists only the 10 newest stories. Older ones are in the archive that it sends you on request.',
    },
  ]);
  server.next({ status: 404 });
  const missing = await SOURCES.blogsite_c.list(
    { baseUrl: server.origin, name: 'ann', origin: 'medium' },
    { page: 1 },
    context,
  );
  assert.deepEqual(missing, {
    kind: 'refused',
    code: 'not_found',
    reason: 'There is no feed at this address (HTTP 404).',
  });
});
