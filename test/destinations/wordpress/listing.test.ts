/** When a look through a WordPress site is over: a page lacks what the user may not edit, and only the site knows how many pages there are. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import { wordpress } from '../../../destinations/wordpress/index.ts';
import { wordpressRow as row } from '../rows/wordpress.ts';
import { done, makeArticle, openClient, startServer } from '../stand-ins.ts';

interface Entry {
  id: number;
  link: string;
  status: string;
  content: { raw: string };
}

/** A site that leaves most posts out of its pages: `visible` by their place in the list. */
function startSite(context: TestContext, visible: Map<number, Entry>, total: number, asked: URL[] = []) {
  return startServer(context, (request: IncomingMessage, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    asked.push(url);
    const [size, offset] = [Number(url.searchParams.get('per_page')), Number(url.searchParams.get('offset'))];
    const isSlug = url.searchParams.has('slug');
    const entries = [...visible]
      .filter(([place]) => place >= offset && place < offset + size)
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
  assert.equal(done(await openClient(row, origin).find(article))?.remoteId, '2');
});

test('the last page is the one that the site says is the last', async (context) => {
  const asked: URL[] = [];
  const origin = await startSite(context, new Map(), 80, asked);
  assert.equal(done(await openClient(row, origin).find(makeArticle())), null);
  const offsets = asked.filter((url) => url.searchParams.has('search')).map((url) => url.searchParams.get('offset'));
  assert.deepEqual(offsets, ['0', '20', '40', '60']);
});

test('of a list that is too long to look through nobody says that the post is not there', async (context) => {
  const asked: URL[] = [];
  const origin = await startSite(context, new Map(), 1_000_000, asked);
  const outcome = await openClient(row, origin).find(makeArticle());
  assert.ok(outcome.kind === 'unavailable' && /too many posts/.test(outcome.reason), JSON.stringify(outcome));
  assert.ok(asked.length <= 201, `${asked.length} requests`);
});

test('where something in between removed the number of pages, only an empty page is the end', async (context) => {
  const article = makeArticle({ coverImage: null });
  const visible = new Map([
    [0, makeEntry(1)],
    [21, makeEntry(2, article)],
  ]);
  const origin = await startSite(context, visible, 0);
  assert.equal(done(await openClient(row, origin).find(article))?.remoteId, '2');
  assert.equal(done(await openClient(row, origin).find(makeArticle())), null);
});

test('only the user’s own posts are looked through, and the slug in every form that the site gives it', async (context) => {
  const asked: URL[] = [];
  const origin = await startSite(context, new Map(), 0, asked);
  await openClient(row, origin).find(makeArticle({ slug: 'hello' }));
  assert.deepEqual(
    asked.map((url) => [url.searchParams.get('author'), url.searchParams.get('status')]),
    [
      ['1', 'any'],
      ['1', 'any'],
    ],
  );
  assert.match(asked[0]?.searchParams.get('slug') ?? '', /^hello,hello-2,hello-3,/);
});

test('nothing is asked for an article whose canonical URL is no address, and nothing of it is there', async (context) => {
  const asked: URL[] = [];
  const origin = await startSite(context, new Map(), 0, asked);
  assert.equal(done(await openClient(row, origin).find(makeArticle({ canonicalUrl: 'x' }))), null);
  assert.deepEqual(asked, []);
});

test('where the site hides posts of the very account, a look that finds none does not say that there is none', async (context) => {
  const origin = await startServer(context, (_request, response) => {
    response.setHeader('x-wp-total', 1).setHeader('x-wp-totalpages', 1).end('[]');
  });
  const outcome = await openClient(row, origin).find(makeArticle());
  assert.ok(outcome.kind === 'rejected' && outcome.code === 'posts_hidden', JSON.stringify(outcome));
});

test('an account that may publish but not change what it published is refused at connecting', async (context) => {
  const me = { id: 7, slug: 'ann', capabilities: { publish_posts: true } };
  const origin = await startServer(context, (_request, response) => response.end(JSON.stringify(me)));
  const outcome = await openClient(row, origin).probe();
  assert.ok(outcome.kind === 'rejected' && outcome.code === 'cannot_publish', JSON.stringify(outcome));
});
