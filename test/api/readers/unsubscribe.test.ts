/** The unsubscribe link of a digest. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { UNSUBSCRIBE_PATH, unsubscribeRoutes } from '../../../api/notifications/digest/unsubscribe-routes.ts';
import { jsonBodyPlugin } from '../../../api/plugins/json-body.ts';
import { errorPlugin } from '../../../api/web/error-handler.ts';
import { signUnsubscribe } from '../../../store/mail-links/unsubscribe-token.ts';

const unsubscribeKey = randomBytes(32);
const userId = randomUUID();
const token = signUnsubscribe(unsubscribeKey, 'digest', userId);
let app: FastifyInstance;
let base: string;
let turnedOff: string[] = [];
let fail = false;

before(async () => {
  app = fastify();
  await app.register(errorPlugin);
  await app.register(jsonBodyPlugin);
  await app.register(unsubscribeRoutes, {
    unsubscribeKey,
    turnOffDigest: async (id: string) => {
      if (fail) throw new Error('database away: secret detail');
      turnedOff.push(id);
    },
  });
  app.post('/json', async ({ body }) => body);
  base = await app.listen({ host: '127.0.0.1', port: 0 });
});
after(() => app.close());
beforeEach(() => {
  turnedOff = [];
  fail = false;
});

const address = (value: string) => `${base}${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(value)}`;
const post = (url: string, body: BodyInit | null, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers, redirect: 'manual' });
const oneClick = () => new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });

test('following the link in any way changes nothing and shows a button (A22)', async () => {
  for (const method of ['GET', 'HEAD']) {
    const response = await fetch(address(token), { method });
    assert.equal(response.status, 200);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /form-action 'self'/);
    assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/);
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    if (method === 'GET') assert.match(await response.text(), /<form method="post">.*<button/s);
  }
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
    assert.ok((await fetch(address(token), { method })).status >= 400);
  }
  assert.deepEqual(turnedOff, []);
});

test('a mail program turns the digest off with one POST, in either form encoding, without a redirect', async () => {
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  for (const body of [oneClick(), form]) {
    const response = await post(address(token), body);
    assert.equal(response.status, 200);
    assert.match(await response.text(), /The digest is off/);
  }
  assert.deepEqual(turnedOff, [userId, userId]);
});

test('the POST accepts the form of the page', async () => {
  const shown = await (await fetch(address(token))).text();
  const [, name, value] = /name="([^"]+)" value="([^"]+)"/.exec(shown) ?? [];
  assert.equal((await post(address(token), new URLSearchParams({ [name ?? '']: value ?? '' }))).status, 200);
  assert.deepEqual(turnedOff, [userId]);
});

test('a token made for another, changed or missing is a 404 and changes nothing (A22)', async () => {
  const foreign = signUnsubscribe(randomBytes(32), 'digest', userId);
  const [, , mac] = token.split('.');
  const others = [
    foreign,
    `u1.${randomUUID()}.${mac}`,
    `${token}x`,
    token.slice(0, -1),
    '',
    '\u0000',
    '../../../x',
    '<b>',
  ];
  const query = `${base}${UNSUBSCRIBE_PATH}`;
  for (const url of [
    ...others.map(address),
    query,
    `${query}?token=${token}&token=${token}`,
    `${query}?token[]=${token}`,
  ]) {
    const shown = await fetch(url);
    assert.equal(shown.status, 404, url);
    assert.doesNotMatch(await shown.text(), /<button|<b>/);
    assert.equal((await post(url, oneClick())).status, 404, url);
  }
  assert.deepEqual(turnedOff, []);
});

test('a POST that is not the form changes nothing (A13)', async () => {
  for (const [body, headers, status] of [
    [new URLSearchParams({ 'List-Unsubscribe': 'no' }), {}, 400],
    [new URLSearchParams({ other: 'One-Click' }), {}, 400],
    ['', { 'content-type': 'application/x-www-form-urlencoded' }, 400],
    [null, {}, 400],
    ['{"List-Unsubscribe":"One-Click"}', { 'content-type': 'application/json' }, 415],
    ['List-Unsubscribe=One-Click', { 'content-type': 'text/plain' }, 415],
    ['not multipart', { 'content-type': 'multipart/form-data; boundary=x' }, 400],
    ['not multipart', { 'content-type': 'multipart/form-data' }, 400],
    [`List-Unsubscribe=One-Click&x=${'x'.repeat(5_000)}`, { 'content-type': 'application/x-www-form-urlencoded' }, 413],
  ] satisfies [BodyInit | null, Record<string, string>, number][]) {
    const response = await post(address(token), body, headers);
    assert.equal(response.status, status, String(body).slice(0, 60));
  }
  assert.deepEqual(turnedOff, []);
});

test('only this route accepts form bodies', async () => {
  assert.equal((await post(`${base}/json`, oneClick())).status, 415);
  const json = await post(`${base}/json`, '{"a":1}', { 'content-type': 'application/json' });
  assert.deepEqual(await json.json(), { a: 1 });
});

test('a failed unsubscribe is an error that shows no internals and no success', async () => {
  fail = true;
  const response = await post(address(token), oneClick());
  assert.equal(response.status, 500);
  assert.doesNotMatch(await response.text(), /secret/);
});
