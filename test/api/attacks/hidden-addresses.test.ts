/** Requests slugs of drafts and scheduled articles at every route that takes a slug. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { deleteArticle } from '../../../store/articles/commands.ts';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { fillRoute, listRoutes, type Route } from '../../support/api/routes.ts';

let api: TestApi;
let routes: Route[];
let cookie: string;
let bearer: string;
before(async () => {
  api = await startTestApi();
  routes = listRoutes(api).filter(({ method, pattern }) => {
    return (method === 'GET' || method === 'POST') && (pattern.includes('/:slug') || pattern === '/cards/:name');
  });
  const reader = await api.createAuthor('reader');
  cookie = `courant_session=${await api.sessions.issue('courant:cookie', reader.id)}`;
  bearer = `Bearer ${await api.sessions.issue('courant:session', reader.id)}`;
  await confirm(reader.id);
});
after(() => api.close());

const confirm = (id: string) =>
  api.db.updateTable('users').set({ emailConfirmedAt: new Date() }).where('id', '=', id).execute();

async function publish(id: string, frontmatter: Record<string, unknown>) {
  const { body } = await api.publish({ content: markdown({ title: `Title of ${id}`, id, ...frontmatter }) });
  assert.ok(body.data, JSON.stringify(body));
  return body.data;
}

/** Slugs under which no article was ever public, and how to create such an article. */
const NEVER_PUBLIC: [slug: string, make: (slug: string) => Promise<unknown>][] = [
  ['hidden-draft', (slug) => publish(slug, { slug, draft: true })],
  ['hidden-scheduled', (slug) => publish(slug, { slug, scheduled_at: '2100-01-01T00:00Z' })],
  ['hidden-dated', (slug) => publish(slug, { slug, draft: true, courant: { published_at: '2020-01-01' } })],
  [
    'hidden-renamed',
    async (slug) => {
      await publish(slug, { slug: 'renamed-public' });
      await publish(slug, { slug: 'renamed-public', draft: true });
      await publish(slug, { slug, draft: true });
    },
  ],
  [
    'hidden-between',
    async (slug) => {
      await publish(slug, { slug: 'between-public' });
      await publish(slug, { slug, draft: true });
      await publish(slug, { slug: 'between-now', draft: true });
    },
  ],
  [
    'hidden-before',
    async (slug) => {
      await publish(slug, { slug, draft: true });
      await publish(slug, { slug: 'before-public' });
    },
  ],
  [
    'hidden-deleted',
    async (slug) => {
      const { id: articleId } = await publish(slug, { slug, draft: true });
      await deleteArticle(api.db, { authorId: api.author.id, articleId, now: new Date() });
    },
  ],
  [
    'hidden-by-suspension',
    async (slug) => {
      const { id, token } = await api.createAuthor('suspended-renamer');
      const send = (frontmatter: object) =>
        api.publish({ content: markdown({ title: 'Of the suspended', id: slug, ...frontmatter }) }, { token });
      await send({ slug: 'suspended-public' });
      await send({ slug, draft: true });
      await api.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', id).execute();
    },
  ],
];

/** Responses to a stranger, a token and a reader, without random values and the slug. */
async function visit(route: Route, slug: string, extension: string) {
  const path = fillRoute(route, () => (route.pattern === '/cards/:name' ? `${slug}-0123456789abcdef.png` : slug));
  const seen = [];
  for (const headers of [{ accept: 'text/html' }, { accept: 'application/json', authorization: bearer }, { cookie }]) {
    const response = await fetch(`${api.url}${path}${extension}`, {
      method: route.method,
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'same-origin', ...(headers as Record<string, string>) },
      ...(route.method === 'POST' ? { body: new URLSearchParams({ body: 'x', kind: 'LIKE' }) } : {}),
    });
    const body = (await response.text()).replaceAll(slug, '<slug>').replaceAll(/"requestId":"[^"]*"/g, '');
    const responseHeaders = [...response.headers].filter(
      ([name]) => !/^(?:date|x-request-id|ratelimit-.*|content-length|etag)$/.test(name),
    );
    seen.push({ status: response.status, headers: JSON.stringify(responseHeaders).replaceAll(slug, '<slug>'), body });
  }
  return seen;
}

test('at every route, the address of an article that was never public gets the same response as an unknown address (A40)', async () => {
  assert.ok(routes.length >= 10, `${routes.length} routes`);
  for (const [slug, make] of NEVER_PUBLIC) await make(slug);
  for (const route of routes) {
    const extensions = route.pattern === '/:slug' ? ['', '.md', '?from=x'] : [''];
    for (const extension of extensions) {
      const nothing = await visit(route, 'never-there', extension);
      for (const [slug] of NEVER_PUBLIC) {
        const label = `${route.method} ${route.pattern}${extension}: ${slug}`;
        assert.deepEqual(await visit(route, slug, extension), nothing, label);
      }
    }
  }
});

test('MCP and the lists do not contain an article that was never public (A40)', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`)));
  const sendRequest = (slug: string) => client.callTool({ name: 'get_article', arguments: { slug } });
  for (const [slug] of NEVER_PUBLIC) assert.deepEqual(await sendRequest(slug), await sendRequest('never-there'), slug);
  const changes = await (await fetch(`${api.url}/api/geo/changes?limit=500`)).text();
  for (const [slug] of NEVER_PUBLIC) assert.ok(!changes.includes(slug), slug);
  await client.close();
});

test('former public addresses of a withdrawn article return 410, even after its slug changes', async () => {
  for (const slug of ['renamed-public', 'between-public']) {
    for (const path of [`/${slug}`, `/${slug}.md`, `/api/geo/posts/${slug}`, `/api/v1/articles/${slug}`]) {
      const response = await fetch(api.url + path, { redirect: 'manual' });
      assert.deepEqual([response.status, response.headers.get('location')], [410, null], path);
    }
  }
  const { id: articleId } = await publish('back', { slug: 'back-one' });
  await publish('back', { slug: 'back-two' });
  await publish('back', { slug: 'back-two', draft: true });
  // Moves the draft back to a former public address.
  await publish('back', { slug: 'back-one', draft: true });
  await publish('back', { slug: 'back-three', draft: true });
  const status = async (slug: string) => (await fetch(`${api.url}/${slug}`, { redirect: 'manual' })).status;
  assert.deepEqual(await Promise.all(['back-one', 'back-two', 'back-three'].map(status)), [410, 410, 404]);
  await publish('back', { slug: 'back-three' });
  assert.deepEqual(await Promise.all(['back-one', 'back-two', 'back-three'].map(status)), [301, 301, 200]);
  await deleteArticle(api.db, { authorId: api.author.id, articleId, now: new Date() });
  assert.deepEqual(await Promise.all(['back-one', 'back-two', 'back-three'].map(status)), [410, 410, 410]);
});

test('articles published by a suspended author return 410; articles that became due during the suspension return 404 (A40)', async () => {
  const { id, token } = await api.createAuthor('suspended-author');
  await api.publish({ content: markdown({ title: 'Before it', slug: 'before-suspension' }) }, { token });
  await api.publish({ content: markdown({ title: 'Draft of it', slug: 'during-suspension', draft: true }) }, { token });
  await api.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', id).execute();
  await api.db
    .updateTable('articles')
    .set({ status: 'PUBLISHED', publishedAt: new Date() })
    .where('slug', '=', 'during-suspension')
    .execute();
  const status = async (slug: string) => (await fetch(`${api.url}/${slug}`)).status;
  assert.deepEqual([await status('before-suspension'), await status('during-suspension')], [410, 404]);
  await api.db.updateTable('users').set({ suspendedAt: null }).where('id', '=', id).execute();
  assert.deepEqual([await status('before-suspension'), await status('during-suspension')], [200, 200]);
});

test('a slug collision reports only that the slug is not available (A40)', async () => {
  const stranger = await api.createAuthor('slug-guesser');
  const messages = [];
  for (const slug of ['hidden-draft', 'hidden-scheduled', 'renamed-public', 'before-public', 'settings']) {
    const content = markdown({ title: `Guess of ${slug}`, slug });
    const { body } = await api.publish({ content }, { token: stranger.token });
    const [warning] = (body.warnings ?? []).filter(({ code }) => code === 'slug_taken');
    messages.push(JSON.stringify(warning).replaceAll(slug, '<slug>'));
  }
  assert.equal(new Set(messages).size, 1, messages.join('\n'));
  assert.match(messages[0] ?? '', /not available/);
});
