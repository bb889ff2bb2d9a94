/**
 * Finding the API of a WordPress site: by its links, without pretty permalinks, in a folder, behind
 * redirects.
 */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { createClient } from '../../../destinations/wordpress/client.ts';
import { wordpress } from '../../../destinations/wordpress/index.ts';
import { isSameSite } from '../../../destinations/wordpress/site/discovery.ts';
import {
  closedOrigin,
  expectDone,
  makeArticle,
  openClient,
  startSandbox,
  startServer,
} from '../destination-harness.ts';
import { wordpressRow as row } from '../rows/wordpress.ts';

const buildPayload = (article = makeArticle({ coverImage: null })) => wordpress.format(article).payload;

test('the site’s address suffices, and the address of its API is stored', async (context) => {
  const { url } = await startSandbox(context);
  for (const path of ['/wordpress', '/wordpress/', '/wordpress/wp-admin/', '/wordpress/wp-json/']) {
    const found = expectDone(await openClient(row, url, { path }).probe());
    assert.deepEqual([found.account, found.baseUrl], [row.account, `${url}/wordpress/wp-json`], path);
  }
});

test('without pretty permalinks every call works in the plain form', async (context) => {
  const { url } = await startSandbox(context);
  const client = openClient(row, url, { path: '/wordpress/?rest_route=/' });
  assert.equal(expectDone(await client.probe()).baseUrl, `${url}/wordpress/?rest_route=/`);
  const article = makeArticle({ coverImage: null });
  const prepared = expectDone((await client.prepare?.(buildPayload(article))) ?? { kind: 'unknown', reason: '' });
  const post = expectDone(await client.create(prepared));
  assert.equal(expectDone(await client.find({ ...article, slug: 'another' }))?.remoteId, post.remoteId);
  expectDone(await client.update(post.remoteId, prepared, post.changedAt));
  expectDone(await client.withdraw(post.remoteId));
});

/**
 * A site with its API at `/<prefix>/` or, with null, in its plain form only. Records requests with
 * a credential.
 */
function site(prefix: string | null, link: string | null, shown: string[]) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://x');
    if (request.headers.authorization) shown.push(`${request.method} ${url.pathname}`);
    const plain = url.searchParams.get('rest_route');
    const pretty =
      prefix !== null && url.pathname.startsWith(`/${prefix}`) ? url.pathname.slice(prefix.length + 1) : null;
    const route = plain ?? pretty;
    if (link !== null)
      response.setHeader('link', `<https://x.example/s.css>; rel=preload, <${link}>; rel="https://api.w.org/"`);
    if (route === null) return void response.writeHead(url.pathname === '/' ? 200 : 404).end('<p>A page</p>');
    response.setHeader('content-type', 'application/json');
    if (route === '/wp/v2/users/me') {
      return void response.end(
        '{"id": 7, "slug": "ann", "capabilities": {"publish_posts": true, "edit_published_posts": true}}',
      );
    }
    response.end('{"home": "https://blog.example.com/", "namespaces": ["wp/v2"]}');
  };
}

for (const [name, prefix, link, expected] of [
  ['named in a Link header', 'wp-json', '/wp-json/', '/wp-json'],
  ['without a Link header, at its usual address', 'wp-json', null, '/wp-json'],
  ['without a Link header and pretty permalinks', null, null, '/?rest_route=/'],
  ['named in its plain form', null, '/index.php?rest_route=/', '/?rest_route=/'],
  ['under a custom name', 'api', '/api/', '/?rest_route=/'],
] as const) {
  test(`the API is found ${name}`, async (context) => {
    const shown: string[] = [];
    const origin = await startServer(context, site(prefix, link, shown));
    const found = expectDone(await openClient(row, origin, { path: '/' }).probe());
    assert.deepEqual([found.account, found.baseUrl], ['blog.example.com 7', `${origin}${expected}`]);
    assert.ok(shown.length > 0 && shown.every((request) => !request.startsWith('HEAD')));
  });
}

test('redirects of the front page are followed without a credential', async (context) => {
  const shown: string[] = [];
  const target = await startServer(context, site('wp-json', '/wp-json/', shown));
  const before: string[] = [];
  const origin = await startServer(context, (request, response) => {
    before.push(`${request.method} ${request.headers.authorization ?? 'nothing'}`);
    response.writeHead(301, { location: `${target}/` }).end();
  });
  assert.equal(expectDone(await openClient(row, origin, { path: '' }).probe()).baseUrl, `${target}/wp-json`);
  assert.deepEqual(before, ['HEAD nothing']);
});

test('a front page cannot lead to an address that the operator does not allow (A11)', async (context) => {
  let called = 0;
  const secret = await startServer(context, (_request, response) => {
    called += 1;
    response.end('{}');
  });
  const hidden = secret.replace('127.0.0.1', 'localhost');
  const open = (baseUrl: string) =>
    createClient({
      connection: { baseUrl, credentials: row.credentials },
      timeoutMs: 2000,
      now: () => new Date(),
      allowPrivate: ['127.0.0.1'],
    });
  const redirecting = await startServer(context, (_request, response) =>
    response.writeHead(302, { location: `${hidden}/` }).end(),
  );
  const naming = await startServer(context, (_request, response) =>
    response.setHeader('link', `<${hidden}/wp-json/>; rel="https://api.w.org/"`).end(),
  );
  for (const [origin, code] of [
    [redirecting, 'address_refused'],
    [naming, 'leads_elsewhere'],
  ] as const) {
    const outcome = await open(origin).probe();
    assert.ok(outcome.kind === 'rejected' && outcome.code === code, JSON.stringify(outcome));
  }
  assert.equal(called, 0);
});

test('a site that leads to another site is rejected before the password is sent, and its author may enter that address (A33)', async (context) => {
  const shown: string[] = [];
  const other = (await startServer(context, site('wp-json', '/wp-json/', shown))).replace('127.0.0.1', 'localhost');
  const redirecting = await startServer(context, (_request, response) =>
    response.writeHead(301, { location: `${other}/` }).end(),
  );
  const naming = await startServer(context, (_request, response) =>
    response.setHeader('link', `<${other}/wp-json/>; rel="https://api.w.org/"`).end(),
  );
  for (const origin of [redirecting, naming]) {
    const outcome = await openClient(row, origin, { path: '/' }).probe();
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'leads_elsewhere', JSON.stringify(outcome));
    assert.match(outcome.reason, /leads to another site, localhost:\d+,.*connect with its address: http:\/\/localhost/);
  }
  assert.deepEqual(shown, []);
  assert.equal(expectDone(await openClient(row, other, { path: '/wp-json/' }).probe()).baseUrl, `${other}/wp-json`);
});

test('hosts of one registrable domain are one site, and those of two authors at one hoster are not', () => {
  for (const [one, other, same] of [
    ['https://example.com', 'https://www.example.com/wp-json', true],
    ['https://blog.example.co.uk', 'https://api.example.co.uk', true],
    ['https://example.co.uk', 'https://other.co.uk', false],
    ['https://ann.github.io', 'https://bob.github.io', false],
    ['http://127.0.0.1:1', 'http://127.0.0.1:2', true],
    ['http://127.0.0.1', 'http://127.0.0.2', false],
  ] as const) {
    assert.equal(isSameSite(one, other), same, `${one} ${other}`);
  }
});

test('a site that is not WordPress, a redirect loop and no response have different outcomes', async (context) => {
  const other = await startServer(context, (_request, response) => response.writeHead(200).end('<p>Hello</p>'));
  const loop = await startServer(context, (_request, response) => response.writeHead(302, { location: '/' }).end());
  for (const origin of [other, loop]) {
    const outcome = await openClient(row, origin, { path: '' }).probe();
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'not_wordpress', JSON.stringify(outcome));
  }
  assert.equal((await openClient(row, await closedOrigin(), { path: '' }).probe()).kind, 'unavailable');
});
