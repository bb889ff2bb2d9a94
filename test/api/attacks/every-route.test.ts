/** Rules for every route of the API. The routes are read from the app, so new ones are included. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as sendRequest } from 'node:http';
import { after, before, test } from 'node:test';
import { startTestApi, type TestApi, type TestAuthor } from '../../support/api/api.ts';
import { fillRoute, listRoutes, type Route } from '../../support/api/routes.ts';
import { addBelongings, type Belongings, readEverythingOf, SECRET } from '../support/belongings.ts';

let api: TestApi;
let routes: Route[];
let owner: TestAuthor;
let stranger: TestAuthor;
let foreign: Belongings;
before(async () => {
  api = await startTestApi();
  routes = listRoutes(api).filter(({ method }) => method === 'GET' || method === 'POST');
  owner = await api.createAuthor('owner');
  stranger = await api.createAuthor('stranger');
  foreign = await addBelongings(api, owner);
});
after(() => api.close());

/**
 * Routes that OpenAPI does not describe: pages and forms for browsers, well-known files, and
 * protocols with their own description.
 */
const NOT_DESCRIBED = [
  // Public pages and the forms of their readers.
  ...[
    '/',
    '/about',
    '/:name',
    '/archive',
    '/authors/:name',
    '/tags/:name',
    '/series/:name',
    '/roundup',
    '/roundup/:name',
    '/search',
  ],
  ...['/articles/:slug/', '/comments/:id', '/people/:username/'],
  // Accounts: signing in, and links in mails.
  ...['/login', '/logout', '/register', '/settings', '/account/', '/digest/unsubscribe', '/newsletter/', '/desk'],
  // Feeds and other lists for machines, each in its own format.
  ...['/feed.', '/atom.xml', '/sitemap', '/robots.txt', '/llms', '/index.md', '/roundup.md', '/.well-known/'],
  // Files.
  ...['/assets/:file', '/cards/:name', '/images/:name', '/cli/courant.tgz'],
  // Programs: GraphQL and MCP describe themselves; the OpenAPI document; health checks; unsent
  // mails.
  ...['/graphql', '/mcp', '/api/v1/openapi.json', '/health/', '/dev/mails'],
];

test('every route is described by OpenAPI or listed as an exception', () => {
  const described = new Set(
    Object.keys(api.app.swagger().paths ?? {}).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1')),
  );
  const rest = routes.map(({ pattern }) => pattern).filter((pattern) => !described.has(pattern));
  const isKnown = (pattern: string, known: string) =>
    pattern === known || (known.length > 1 && pattern.startsWith(known) && !/^\/(?::name|api)/.test(known));
  assert.deepEqual(
    rest.filter((pattern) => !NOT_DESCRIBED.some((known) => isKnown(pattern, known))),
    [],
  );
  assert.deepEqual(
    NOT_DESCRIBED.filter((known) => !rest.some((pattern) => isKnown(pattern, known))),
    [],
  );
});

/** Parameter values that name the owner's rows, by route prefix. */
const OWNED: [prefix: string, values: (name: string) => string][] = [
  ['/desk/articles/:id', (name) => (name === 'id' ? foreign.articleId : 'blogsite_a')],
  ['/desk/statistics/:articleId', () => foreign.articleId],
  ['/desk/settings/tokens/:id', () => foreign.tokenId],
  ['/desk/settings/sessions/:id', () => foreign.sessionId],
  ['/desk/settings/connections/:destination', () => 'blogsite_a'],
  ['/desk/notifications/:id', () => foreign.notificationId],
  ['/comments/:id', () => foreign.commentId],
  ['/series/:name', () => foreign.seriesId],
  ...['/authors/:name', '/people/:username'].map(
    (prefix) => [prefix, () => foreign.username] as [string, () => string],
  ),
  ...['/:name', '/articles/:slug', '/api/v1/articles/:slug', '/api/geo/posts/:slug'].map(
    (prefix) => [prefix, () => foreign.slug] as [string, () => string],
  ),
  ['/cards/:name', () => `${foreign.slug}.png`],
];
/** Routes with parameters that name no owner's row. */
const OWNERLESS = [
  '/assets/:file',
  '/images/:name',
  '/roundup/:name',
  '/sitemap-:part.xml',
  '/tags/:name',
  '/dev/mails/:name',
];
/** Anybody may do this, and the owner is notified. */
const FOR_EVERYBODY = ['/people/:username/follow', '/people/:username/subscribe'];

test('no route shows or changes data of another author, with or without a session (A18)', async () => {
  const everything = await readEverythingOf(api.db, owner);
  const cookie = `courant_session=${await api.sessions.issue('courant:cookie', stranger.id)}`;
  const bearer = `Bearer ${await api.sessions.issue('courant:session', stranger.id)}`;
  let requestCount = 0;
  for (const route of routes.filter(({ pattern }) => pattern.includes(':'))) {
    const { method, pattern } = route;
    if (OWNERLESS.some((known) => pattern.startsWith(known)) || FOR_EVERYBODY.includes(pattern)) continue;
    const values = OWNED.find(([prefix]) => pattern.startsWith(prefix))?.[1];
    assert.ok(values, `${method} ${pattern} names something: whose?`);
    const path = fillRoute(route, values);
    const isForm = !pattern.startsWith('/api');
    for (const headers of [{}, isForm ? { cookie } : { authorization: bearer }]) {
      requestCount += 1;
      const response = await fetch(api.url + path, {
        method,
        redirect: 'manual',
        headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin', ...(headers as Record<string, string>) },
        ...(method === 'POST' ? { body: isForm ? new URLSearchParams({ body: 'x', sure: 'yes' }) : '' } : {}),
      });
      const text = await response.text();
      const message = `${method} ${pattern}: ${response.status}`;
      assert.ok(response.status < 500, message);
      assert.ok(!text.includes(SECRET) && !text.includes('Not yours') && !text.includes(`${owner.username}@`), message);
    }
    if (method === 'POST') assert.deepEqual(await readEverythingOf(api.db, owner), everything, `${method} ${pattern}`);
  }
  assert.ok(requestCount > 80, `${requestCount} requests`);
  assert.deepEqual(await readEverythingOf(api.db, owner), everything);
});

test('every route rejects an oversized body before reading it (F23)', async () => {
  const cookie = `courant_session=${await api.sessions.issue('courant:cookie', stranger.id)}`;
  const posts = routes.filter(({ method }) => method === 'POST');
  assert.ok(posts.length > 40, `${posts.length} routes were found`);
  for (const route of posts) {
    const isForm = !/^\/(?:api|graphql|mcp)/.test(route.pattern);
    const token =
      route.pattern === '/graphql' ? await api.sessions.issue('courant:session', stranger.id) : stranger.token;
    const sent = sendRequest(api.url + fillRoute(route, '00000000-0000-4000-8000-000000000000'), {
      method: 'POST',
      headers: {
        ...(isForm ? { cookie, 'sec-fetch-site': 'same-origin' } : { authorization: `Bearer ${token}` }),
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
        'content-length': 50_000_000,
      },
    });
    sent.on('error', () => undefined);
    sent.flushHeaders();
    const [response] = await once(sent, 'response');
    sent.destroy();
    assert.equal(response.statusCode, 413, route.pattern);
  }
});

test('unknown fields of a body or form cannot change the owner or an account', async () => {
  const everything = await readEverythingOf(api.db, owner);
  const smuggled = { authorId: owner.id, author_id: owner.id, userId: owner.id, isAdmin: true, suspendedAt: null };
  const account = { email: 'other@example.org', emailConfirmedAt: '2026-01-01', passwordHash: 'x', username: 'owner' };
  const content = `---\ntitle: Whose is it\nauthor_id: ${owner.id}\nuser_id: ${owner.id}\n---\n\nText.\n`;
  const { status, body } = await api.publish({ content, ...smuggled, status: 'DRAFT', imported: true }, stranger);
  assert.equal(status, 201);
  const stored = await api.db
    .selectFrom('articles')
    .selectAll()
    .where('slug', '=', body.data?.slug ?? '')
    .executeTakeFirstOrThrow();
  assert.deepEqual([stored.authorId, stored.status, stored.imported], [stranger.id, 'PUBLISHED', false]);

  const readAccount = () =>
    api.db.selectFrom('users').selectAll().where('id', '=', stranger.id).executeTakeFirstOrThrow();
  const { bio: _bio, shownAt: _shownAt, ...before } = await readAccount();
  const cookie = `courant_session=${await api.sessions.issue('courant:cookie', stranger.id)}`;
  const form = new URLSearchParams({
    name: before.name,
    bio: 'Changed.',
    ...account,
    userId: owner.id,
    isAdmin: 'true',
    suspendedAt: '',
  });
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  await fetch(`${api.url}/desk/settings/profile`, { method: 'POST', redirect: 'manual', headers, body: form });
  const { bio, shownAt: _, ...after } = await readAccount();
  assert.equal(bio, 'Changed.');
  assert.deepEqual(after, before);
  assert.deepEqual(await readEverythingOf(api.db, owner), everything);
});

test('a session cannot publish over REST, and a developer token can do nothing else (A17)', async () => {
  const session = await api.sessions.issue('courant:session', stranger.id);
  for (const token of [session, await api.sessions.issue('courant:cookie', stranger.id)]) {
    assert.equal((await api.publish({ content: '# By a session' }, { token })).status, 401);
  }
  for (const { method, pattern } of routes) {
    const path = fillRoute({ method, pattern }, 'x');
    const send = async (headers: Record<string, string>) => {
      const answer = await fetch(api.url + path, {
        method,
        redirect: 'manual',
        headers: { 'sec-fetch-site': 'same-origin', ...headers },
      });
      await answer.body?.cancel();
      return answer.status;
    };
    if (pattern === '/api/v1/articles' && method === 'POST') continue;
    const [nobody, token] = [await send({}), await send({ authorization: `Bearer ${stranger.token}` })];
    // GraphQL rejects a developer token; other routes ignore it.
    if (token !== nobody) assert.equal(token, 401, `${method} ${pattern}: ${nobody} without it`);
  }
});
