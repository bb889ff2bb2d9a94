/** The posts that the APIs of Forem and Hashnode list, their texts, and the next page. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SourcePost } from '../../article/import/source-post.ts';
import { SOURCES } from '../../sources/registry.ts';
import type { SourcePage, SourceResult } from '../../sources/types.ts';
import { createContext, startSource } from './support.ts';

function expectPage(result: SourceResult<SourcePage>): SourcePage {
  assert.ok(result.kind === 'done', JSON.stringify(result));
  return result.value;
}
const context = createContext();
const EMPTY_POST = {
  ...{
    url: null,
    title: '',
    subtitle: null,
    excerpt: null,
    tags: [],
    slug: null,
    canonicalUrl: null,
    coverImage: null,
  },
  ...{ series: null, language: null, publishedAt: null, updatedAt: null },
};

test('Forem lists a page of posts without their texts', async (t) => {
  const server = await startSource(t);
  const place = { baseUrl: `${server.origin}/api`, name: 'ann lee', origin: 'x' };
  const full = {
    ...{ id: 7, url: 'https://dev.to/ann/x-1', title: 'T', description: 'About.', tag_list: ['a', ' b ', '', 7] },
    ...{ canonical_url: 'https://a.io/x', cover_image: 'https://a.io/c.png', language: 'en', user: { user_id: 9 } },
    ...{
      published_at: '2026-01-01T00:00:00Z',
      published_timestamp: '2020-01-01T00:00:00Z',
      edited_at: '2026-02-01T00:00:00Z',
    },
  };
  const bare = { id: '8', tags: 'c, d', description: 'Cut...', published_timestamp: '2026-03-01T00:00:00Z' };
  server.next({ body: [full, bare, { id: null }, { id: 9, description: 'Cut…  ', tags: ['e'], tag_list: 'f' }] });
  const { posts, next, notices } = expectPage(await SOURCES.blogsite_a.list(place, { page: 1 }, context));
  const body = { format: 'markdown', text: '', base: null, isExcerpt: false };
  const site = new URL(server.origin).host;
  assert.deepEqual(posts, [
    {
      post: {
        ...{
          ...EMPTY_POST,
          remoteId: '7',
          url: full.url,
          title: 'T',
          excerpt: 'About.',
          tags: ['a', 'b'],
          language: 'en',
        },
        ...{ canonicalUrl: 'https://a.io/x', coverImage: 'https://a.io/c.png' },
        ...{ publishedAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-02-01T00:00:00.000Z' },
        body: { ...body, base: full.url },
      },
      ...{ hasBody: false, account: `${site} 9` },
    },
    {
      post: { ...EMPTY_POST, remoteId: '8', tags: ['c', 'd'], publishedAt: '2026-03-01T00:00:00.000Z', body },
      ...{ hasBody: false, account: null },
    },
    { post: { ...EMPTY_POST, remoteId: '9', tags: ['e'], body }, hasBody: false, account: null },
  ]);
  assert.deepEqual([next, notices], [{ page: 2 }, []]);
  server.next({ body: [] }, { body: [] });
  assert.deepEqual(expectPage(await SOURCES.blogsite_a.list(place, { page: 2 }, context)), {
    posts: [],
    next: null,
    notices: [],
  });
  assert.deepEqual(expectPage(await SOURCES.blogsite_a.list(place, { page: 1 }, context)).notices, [
    { code: 'nothing_found', message: 'DEV lists no published articles of “ann lee”. Check the spelling of the name.' },
  ]);
  assert.deepEqual(
    server.requests,
    [1, 2, 1].map((page) => `GET /api/articles?username=ann+lee&page=${page}&per_page=100`),
  );
  assert.equal(server.received[0]?.headers.accept, 'application/vnd.forem.api-v1+json');
});

test('Forem returns the text of a post as Markdown, else as HTML', async (t) => {
  const server = await startSource(t);
  const place = { baseUrl: server.origin, name: 'ann', origin: 'x' };
  const post: SourcePost = {
    ...EMPTY_POST,
    remoteId: 'a/7',
    body: { format: 'markdown', text: '', base: 'b', isExcerpt: false },
  };
  const fetchBody = async () => {
    const result = await SOURCES.blogsite_a.fetchBody?.(place, post, context);
    return result?.kind === 'done'
      ? [result.value.body.format, result.value.body.text, result.value.body.base]
      : result;
  };
  server.next({ body: { id: 'a/7', body_markdown: 'M', body_html: 'H' } }, { body: { id: 'a/7', body_html: 'H' } });
  assert.deepEqual(
    [await fetchBody(), await fetchBody()],
    [
      ['markdown', 'M', 'b'],
      ['html', 'H', 'b'],
    ],
  );
  assert.equal(server.requests[0], 'GET /articles/a%2F7');
  const proxy = { kind: 'later', reason: 'A server between Courant and DEV responded instead.', retryAfterMs: null };
  server.next({ body: { id: 'a/7' } }, { body: { id: 'b', body_html: 'H' } });
  assert.deepEqual([await fetchBody(), await fetchBody()], [proxy, proxy]);
  server.next({ status: 404, body: {} }, { status: 403, body: {} }, { status: 404, body: '<h1>' });
  assert.deepEqual(await fetchBody(), {
    kind: 'refused',
    code: 'not_found',
    reason: 'DEV no longer shows this article.',
  });
  assert.deepEqual(await fetchBody(), {
    kind: 'refused',
    code: 'source_refused',
    reason: 'DEV refuses the request (HTTP 403).',
  });
  assert.deepEqual(await fetchBody(), {
    ...proxy,
    reason: 'A server between Courant and DEV responded instead (HTTP 404).',
  });
  server.next({ body: {} });
  assert.deepEqual(await SOURCES.blogsite_a.list(place, { page: 1 }, context), proxy);
});

const posts = (edges: unknown, pageInfo: object = {}) => ({
  body: { data: { found: { id: 'P1', posts: { edges, pageInfo } } } },
});

test('Hashnode lists the posts of a blog or of a user with their texts', async (t) => {
  const server = await startSource(t);
  const list = (name: string, cursor = {}) =>
    SOURCES.blogsite_b.list({ baseUrl: server.origin, name, origin: 'hashnode' }, { page: 1, ...cursor }, context);
  const node = {
    ...{ id: 'n1', slug: 's', url: 'https://a.io/s', title: 'T', subtitle: 'S', canonicalUrl: 'https://b.io/s' },
    ...{ publishedAt: '2026-01-01T00:00:00Z', updatedAt: '2026-02-01T00:00:00Z', content: { markdown: 'M' } },
    ...{
      coverImage: { url: 'https://a.io/c.png' },
      tags: [{ name: 'A', slug: 'a' }, { slug: 'b' }, {}],
      series: { name: 'R' },
    },
    ...{ author: { id: 'u1' }, publication: { id: 'PUB' } },
  };
  const bare = {
    id: 'n2',
    content: { markdown: '' },
    tags: 7,
    author: { id: 'u1' },
    publishedAt: '2026-03-01T00:00:00Z',
  };
  server.next(
    posts([{ node }, { node: bare }, { node: { id: 'n3' } }, { node: { content: { markdown: 'x' } } }], {
      hasNextPage: true,
      endCursor: 'c1',
    }),
  );
  const first = expectPage(await list('https://ann.hashnode.dev'));
  const body = { format: 'markdown', text: '', base: null, isExcerpt: false };
  assert.deepEqual(first, {
    posts: [
      {
        post: {
          ...{
            ...EMPTY_POST,
            remoteId: 'n1',
            url: node.url,
            title: 'T',
            subtitle: 'S',
            tags: ['A', 'b', ''],
            slug: 's',
          },
          ...{ canonicalUrl: 'https://b.io/s', coverImage: 'https://a.io/c.png', series: 'R' },
          ...{ publishedAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-02-01T00:00:00.000Z' },
          body: { ...body, text: 'M', base: node.url },
        },
        ...{ hasBody: true, account: 'u1 pub' },
      },
      {
        post: {
          ...EMPTY_POST,
          remoteId: 'n2',
          publishedAt: '2026-03-01T00:00:00.000Z',
          updatedAt: '2026-03-01T00:00:00.000Z',
          body,
        },
        ...{ hasBody: true, account: 'u1 p1' },
      },
    ],
    ...{ next: { page: 2, after: 'c1' }, notices: [] },
  });
  const sent = (index: number) => {
    const { query, variables } = JSON.parse(server.received[index]?.body ?? '');
    return [/query (\w+)/.exec(query)?.[1], variables];
  };
  assert.deepEqual(sent(0), ['ImportPublicationPosts', { of: 'ann.hashnode.dev', first: 20, after: null }]);
  for (const pageInfo of [
    { hasNextPage: true, endCursor: 'c1' },
    { hasNextPage: false, endCursor: 'c2' },
    { hasNextPage: true },
  ]) {
    server.next(posts([], pageInfo));
    assert.equal(expectPage(await list('ann', { page: 2, after: 'c1' })).next, null);
  }
  assert.deepEqual(sent(1), ['ImportUserPosts', { of: 'ann', first: 20, after: 'c1' }]);
});

test('refusals of Hashnode are explained, and errors of a server are retried', async (t) => {
  const server = await startSource(t);
  const list = async (answer: object, status = 200) => {
    server.next({ body: answer, status });
    return SOURCES.blogsite_b.list({ baseUrl: server.origin, name: 'ann', origin: 'x' }, { page: 1 }, context);
  };
  const error = (code: string | undefined, message = 'No.') => ({ errors: [{ message, extensions: { code } }] });
  const later = (reason: string) => ({ kind: 'later', reason, retryAfterMs: null });
  const refused = (code: string, reason: string) => ({ kind: 'refused', code, reason });
  assert.deepEqual(await list(error('NOT_FOUND')), refused('not_found', 'Hashnode has no such blog.'));
  assert.deepEqual(
    await list(error('FORBIDDEN', 'Profile only.')),
    refused('source_refused', 'Hashnode refuses the request (FORBIDDEN).'),
  );
  assert.deepEqual(
    await list(error('FORBIDDEN', 'A Pro plan.')),
    refused('plan_required', 'Hashnode allows API access to a blog only on its paid plan.'),
  );
  assert.deepEqual(
    await list(error('X'.repeat(50))),
    refused('source_refused', `Hashnode refuses the request (${'X'.repeat(40)}).`),
  );
  for (const code of ['INTERNAL_SERVER_ERROR', undefined])
    assert.deepEqual(await list(error(code)), later('Hashnode reports an internal error.'));
  assert.deepEqual(await list({ data: { found: null } }), refused('not_found', 'Hashnode has no blog or user “ann”.'));
  assert.deepEqual(await list({ data: { found: {} } }), later('Hashnode did not list the posts.'));
  const proxy = (status: number) => later(`A server between Courant and Hashnode responded instead (HTTP ${status}).`);
  assert.deepEqual(
    [await list({ data: {} }, 404), await list({ errors: [] }), await list({ errors: 'x' })],
    [proxy(404), proxy(200), proxy(200)],
  );
});
