/**
 * The end of a search on a WordPress site: pages lack posts that the user may not edit, and only
 * the site reports the number of pages.
 */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import { wordpress } from '../../../destinations/wordpress/index.ts';
import { expectDone, makeArticle, openClient, startServer } from '../destination-harness.ts';
import { wordpressRow as row } from '../rows/wordpress.ts';

interface Entry {
  id: number;
  link: string;
  status: string;
  content: { raw: string };
}

/** A site that omits most posts from its pages. `visible` maps positions in the list to entries. */
function startSite(context: TestContext, visible: Map<number, Entry>, total: number, requests: URL[] = []) {
  return startServer(context, (request: IncomingMessage, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    requests.push(url);
    const [size, offset] = [Number(url.searchParams.get('per_page')), Number(url.searchParams.get('offset'))];
    const isSlug = url.searchParams.has('slug');
    const entries = [...visible]
      .filter(([position]) => position >= offset && position < offset + size)
      .map(([, entry]) => entry);
    if (total > 0) response.setHeader('x-wp-totalpages', isSlug ? 0 : Math.ceil(total / size));
    response.end(JSON.stringify(isSlug ? [] : entries));
  });
}

function makeEntry(id: number, article = makeArticle()): Entry {
  const { content } = (wordpress.format(article).payload as { post: { content: string } }).post;
  return { id, link: `https://x.example/${id}`, status: 'publish', content: { raw: content } };
}

test('a page that is short or empty is not the end of the list', async (context) => {
  const article = makeArticle({ coverImage: null });
  const visible = new Map([
    [0, makeEntry(1)],
    [61, makeEntry(2, article)],
  ]);
  const origin = await startSite(context, visible, 80);
  assert.equal(expectDone(await openClient(row, origin).find(article))?.remoteId, '2');
});

test('the last page is the one that the site reports as last', async (context) => {
  const requests: URL[] = [];
  const origin = await startSite(context, new Map(), 80, requests);
  assert.equal(expectDone(await openClient(row, origin).find(makeArticle())), null);
  const offsets = requests.filter((url) => url.searchParams.has('search')).map((url) => url.searchParams.get('offset'));
  assert.deepEqual(offsets, ['0', '20', '40', '60']);
});

test('a list that is too long to search does not prove that the post is missing', async (context) => {
  const requests: URL[] = [];
  const origin = await startSite(context, new Map(), 1_000_000, requests);
  const outcome = await openClient(row, origin).find(makeArticle());
  assert.ok(outcome.kind === 'unavailable' && /too many posts/.test(outcome.reason), JSON.stringify(outcome));
  assert.ok(requests.length <= 201, `${requests.length} requests`);
});

test('if an intermediary removed the number of pages, only an empty page is the end', async (context) => {
  const article = makeArticle({ coverImage: null });
  const visible = new Map([
    [0, makeEntry(1)],
    [21, makeEntry(2, article)],
  ]);
  const origin = await startSite(context, visible, 0);
  assert.equal(expectDone(await openClient(row, origin).find(article))?.remoteId, '2');
  assert.equal(expectDone(await openClient(row, origin).find(makeArticle())), null);
});

test('only the user’s own posts are searched, by every form of the slug that the site may assign', async (context) => {
  const requests: URL[] = [];
  const origin = await startSite(context, new Map(), 0, requests);
  await openClient(row, origin).find(makeArticle({ slug: 'hello' }));
  assert.deepEqual(
    requests.map((url) => [url.searchParams.get('author'), url.searchParams.get('status')]),
    [
      ['1', 'any'],
      ['1', 'any'],
    ],
  );
  assert.match(requests[0]?.searchParams.get('slug') ?? '', /^hello,hello-2,hello-3,/);
});

test('no request is sent for an article with an invalid canonical URL, and no post is found', async (context) => {
  const requests: URL[] = [];
  const origin = await startSite(context, new Map(), 0, requests);
  assert.equal(expectDone(await openClient(row, origin).find(makeArticle({ canonicalUrl: 'x' }))), null);
  assert.deepEqual(requests, []);
});

test('a search that finds nothing proves nothing if the site hides posts of this account', async (context) => {
  const origin = await startServer(context, (_request, response) => {
    response.setHeader('x-wp-total', 1).setHeader('x-wp-totalpages', 1).end('[]');
  });
  const outcome = await openClient(row, origin).find(makeArticle());
  assert.ok(outcome.kind === 'rejected' && outcome.code === 'posts_hidden', JSON.stringify(outcome));
});

test('an account that may publish but not edit published posts is rejected by the probe', async (context) => {
  const me = { id: 7, slug: 'ann', capabilities: { publish_posts: true } };
  const origin = await startServer(context, (_request, response) => response.end(JSON.stringify(me)));
  const outcome = await openClient(row, origin).probe();
  assert.ok(outcome.kind === 'rejected' && outcome.code === 'cannot_publish', JSON.stringify(outcome));
});
