/**
 * Behaviour that only Ghost has: signed requests, redirected addresses, its own refusals and
 * responses.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jwtVerify } from 'jose';
import { DEMO_GHOST_KEY } from '../../../sandbox/app.ts';
import { closedOrigin, expectDone, makeArticle, startSandbox, startServer } from '../destination-harness.ts';
import { buildPayload, keyId, openGhost, POST, secret, startGhost } from './support/scripted-ghost.ts';

test('every request has a new token, signed with the decoded secret and valid for five minutes', async (context) => {
  const { origin, seen } = await startGhost(context, () => ({ status: 201, json: { posts: [POST] } }));
  const now = new Date('2026-03-01T10:00:00.700Z');
  await openGhost(origin, { now: () => now }).create(buildPayload());
  const [scheme, token = ''] = String(seen[0]?.headers.authorization ?? '').split(' ');
  assert.equal(scheme, 'Ghost');
  const { payload, protectedHeader } = await jwtVerify(token, Buffer.from(secret, 'hex'), { currentDate: now });
  assert.deepEqual(protectedHeader, { alg: 'HS256', typ: 'JWT', kid: keyId });
  const iat = Math.floor(now.getTime() / 1000);
  assert.deepEqual(payload, { iat, exp: iat + 300, aud: '/admin/' });
  assert.match(String(seen[0]?.headers['accept-version'] ?? ''), /^v\d+\.\d+$/);
});

test('a malformed key is refused before anything is sent', async () => {
  const origin = await closedOrigin();
  for (const adminKey of [
    '',
    'x',
    keyId,
    secret,
    `${keyId}:`,
    `${keyId}:${secret}0`,
    `${keyId}:${secret.slice(1)}g`,
    `${keyId}:${secret}\nx`,
  ]) {
    const client = openGhost(origin, { adminKey });
    for (const outcome of [
      await client.probe(),
      await client.create(buildPayload()),
      await client.find(makeArticle()),
    ]) {
      assert.ok(outcome.kind === 'unauthorised' && /Admin API key/.test(outcome.reason), JSON.stringify(outcome));
      assert.ok(adminKey === '' || adminKey === 'x' || !outcome.reason.includes(adminKey));
    }
  }
});

test('the connection’s address may be the site, its admin area or its API', async (context) => {
  const { url } = await startSandbox(context);
  for (const path of [
    '',
    '/',
    '/ghost',
    '/ghost/',
    '/ghost/#/settings',
    '/ghost/api',
    '/ghost/api/admin',
    '/ghost/api/admin/',
  ]) {
    const { account } = expectDone(await openGhost(`${url}/ghost-site${path}`).probe());
    assert.equal(account, 'ghost.sandbox.example', path);
  }
});

test('an address without a Ghost is rejected as such', async (context) => {
  for (const [status, json] of [
    [200, {}],
    [200, { site: {} }],
    [200, { site: { url: 'x' } }],
    [404, { errors: [{ message: 'Not found' }] }],
  ] as const) {
    const { origin } = await startGhost(context, () => ({ status, json }));
    const outcome = await openGhost(origin).probe();
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'not_ghost', JSON.stringify(outcome));
  }
});

test('a redirect names the address that the author has to enter', async (context) => {
  const origin = await startServer(context, (request, response) =>
    response.writeHead(301, { location: `https://admin.example.com${request.url}` }).end(),
  );
  const outcome = await openGhost(origin).probe();
  assert.ok(outcome.kind === 'rejected' && outcome.code === 'endpoint_moved');
  assert.match(outcome.reason, /redirects to https:\/\/admin\.example\.com \(HTTP 301\)/);
});

test('each refusal by Ghost has a code, and contains neither key nor token', async (context) => {
  for (const [status, kind, code] of [
    [400, 'rejected', 'refused'],
    [401, 'unauthorised', undefined],
    [403, 'rejected', 'forbidden'],
    [404, 'rejected', 'not_found'],
    [406, 'rejected', 'version_mismatch'],
    [413, 'rejected', 'body_too_large'],
    [422, 'rejected', 'invalid'],
  ] as const) {
    let token = '';
    const origin = await startServer(context, (request, response) => {
      token = request.headers.authorization?.split(' ')[1] ?? '';
      const errors = [{ message: 'No.', context: `key ${DEMO_GHOST_KEY} token ${token} \u001b[2J` }];
      request.resume().on('end', () => response.writeHead(status).end(JSON.stringify({ errors })));
    });
    const outcome = await openGhost(origin).create(buildPayload());
    assert.equal(outcome.kind, kind, JSON.stringify(outcome));
    if (outcome.kind === 'rejected') assert.equal(outcome.code, code);
    assert.equal(outcome.kind === 'rejected' && outcome.mayBeSaved === true, status === 422);
    const { reason } = outcome as { reason: string };
    for (const part of [secret, DEMO_GHOST_KEY, token]) assert.ok(!reason.includes(part), reason);
    assert.doesNotMatch(reason, /\p{Cc}/u);
  }
});

test('a response with an invalid post is not accepted', async (context) => {
  for (const change of [{ id: '../../users' }, { id: 7 }, { url: 'javascript:alert(1)' }, { updated_at: 'soon' }]) {
    const { origin } = await startGhost(context, () => ({ status: 201, json: { posts: [{ ...POST, ...change }] } }));
    assert.equal((await openGhost(origin).create(buildPayload())).kind, 'unknown', JSON.stringify(change));
  }
});
