/**
 * Behaviour that only Medium has: no look-up, change or withdrawal; a daily limit recognised by its
 * message; Cloudflare in front.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { medium } from '../../../destinations/medium/index.ts';
import { DEMO_MEDIUM_USER } from '../../../sandbox/app.ts';
import { closedOrigin, makeArticle, openClient, startSandbox, startServer } from '../destination-harness.ts';
import { mediumRow as row } from '../rows/medium.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const { credentials } = row;
const buildPayload = (changes = {}) => medium.format(makeArticle(changes)).payload;

test('a probed connection posts in one request, without any other request before it', async (context) => {
  const paths: string[] = [];
  const origin = await startServer(context, (request, response) => {
    paths.push(`${request.method} ${request.url}`);
    response
      .writeHead(201)
      .end(JSON.stringify({ data: { id: '1a2b3c4d5e6f', url: 'https://medium.com/p/1a2b3c4d5e6f' } }));
  });
  const client = openClient(row, origin, { credentials });
  assert.equal(client.prepare, undefined);
  const outcome = await client.create(buildPayload());
  assert.deepEqual(outcome, {
    kind: 'done',
    value: { remoteId: '1a2b3c4d5e6f', url: 'https://medium.com/p/1a2b3c4d5e6f', changedAt: null },
  });
  assert.deepEqual(paths, [`POST /medium/v1/users/${DEMO_MEDIUM_USER}/posts`]);
});

test('Medium stores the payload as it was sent', async (context) => {
  const sandbox = await startSandbox(context);
  const article = makeArticle({ tags: ['C#', 'x y'], body: '## Head\n\n| a |\n|---|\n| 1 |\n' });
  const post = await openClient(row, sandbox.url, { credentials }).create(medium.format(article).payload);
  assert.ok(post.kind === 'done', JSON.stringify(post));
  assert.equal(medium.readPostUrl?.(post.value.url, sandbox.url), post.value.remoteId);
  const page = await (await fetch(post.value.url)).text();
  assert.match(page, /#C# #x y/);
  assert.match(page, /&lt;h3&gt;Head&lt;\/h3&gt;[\s\S]*&lt;pre&gt;a/);
});

test('a post cannot be created while the account’s id is unknown', async () => {
  const outcome = await openClient(row, await closedOrigin(), row.entered).create(buildPayload());
  assert.ok(outcome.kind === 'rejected' && outcome.code === 'account_unknown');
});

test('find, update and withdraw are refused with a reason for the author, and nothing is sent', async () => {
  const client = openClient(row, await closedOrigin(), { credentials });
  const outcomes = [
    await client.find(makeArticle()),
    await client.update('1a2b3c4d5e6f', buildPayload()),
    await client.withdraw('1a2b3c4d5e6f'),
  ];
  assert.deepEqual(
    outcomes.map((outcome) => outcome.kind === 'rejected' && outcome.code),
    ['cannot_find', 'cannot_update', 'cannot_withdraw'],
  );
});

test('the daily limit causes a wait of one day, for any status and format', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url, { credentials });
  const message = 'User has reached the rate limit for publishing today.';
  for (const fault of [
    { status: 400, body: { errors: [{ message, code: -1 }] } },
    { status: 403, body: { errors: [{ message, code: -1 }] } },
    { status: 429, body: { errors: [{ message, code: -1 }] }, headers: { 'Retry-After': '1' } },
    { status: 403, body: `<h1>${message}</h1>` },
  ]) {
    await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, ...fault }]);
    const outcome = await client.create(buildPayload());
    assert.ok(outcome.kind === 'rateLimited' && outcome.retryAfterMs === DAY_MS, JSON.stringify(outcome));
  }
});

test('the eleventh post of a day waits, and is created on the next day', async (context) => {
  let now = Date.parse('2026-11-21T12:00:00Z');
  const sandbox = await startSandbox(context, { rateLimits: true, now: () => new Date(now) });
  const client = openClient(row, sandbox.url, { credentials });
  for (let index = 0; index < 10; index += 1) assert.equal((await client.create(buildPayload())).kind, 'done');
  assert.equal((await client.create(buildPayload())).kind, 'rateLimited');
  now += DAY_MS;
  assert.equal((await client.create(buildPayload())).kind, 'done');
});

test('Cloudflare’s challenge blocks the request: the post is retried a few times, then its author is notified', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url, { credentials });
  const body = '<!DOCTYPE html><title>Just a moment...</title>';
  for (const status of [403, 429, 503]) {
    for (const headers of [{ 'cf-mitigated': 'challenge' }, { server: 'cloudflare', 'cf-ray': '8a1b-FRA' }]) {
      await sandbox.setFaults([{ platform: row.key, action: 'any', times: 2, status, body, headers }]);
      for (const outcome of [await client.create(buildPayload()), await client.probe()]) {
        assert.ok(outcome.kind === 'unavailable' && (outcome.maxAttempts ?? 100) <= 5, JSON.stringify(outcome));
      }
    }
  }
});

test('a page of another server, or of Cloudflare after Medium received the request, leaves a create unknown', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url, { credentials });
  for (const [status, body, headers] of [
    [403, '<title>Forbidden</title>', {}],
    [502, '<title>502: Bad gateway</title>', { server: 'cloudflare', 'cf-ray': '8a1b-FRA' }],
    [524, '<title>A timeout occurred</title>', { server: 'cloudflare', 'cf-ray': '8a1b-FRA' }],
  ] as const) {
    await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, status, body, headers }]);
    assert.equal((await client.create(buildPayload())).kind, 'unknown', body);
  }
});

test('each of Medium’s own errors has a specific outcome', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url, { credentials });
  for (const [status, code, kind, expected] of [
    [401, 6000, 'unauthorised', undefined],
    [400, 6003, 'unauthorised', undefined],
    [404, 6004, 'rejected', 'account_unknown'],
    [404, 6005, 'unauthorised', undefined],
    [400, 2004, 'rejected', 'invalid'],
    [403, 2002, 'rejected', 'forbidden'],
    [404, 404, 'rejected', 'not_found'],
    [500, -1, 'unknown', undefined],
  ] as const) {
    const body = { errors: [{ message: 'No.', code }] };
    await sandbox.setFaults([{ platform: row.key, action: 'create', times: 1, status, body }]);
    const outcome = await client.create(buildPayload());
    assert.equal(outcome.kind, kind, `${status} ${code}`);
    if (outcome.kind === 'rejected') assert.equal(outcome.code, expected);
  }
});

test('somebody else’s id in the connection is rejected', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url, { credentials: { ...credentials, userId: 'another' } });
  const outcome = await client.create(buildPayload());
  assert.ok(outcome.kind === 'rejected' && outcome.code === 'forbidden', JSON.stringify(outcome));
});

test('a closed API is reported to the author', async (context) => {
  for (const status of [301, 308, 410]) {
    const origin = await startServer(context, (_request, response) =>
      response.writeHead(status, { location: 'https://medium.com/' }).end('<h1>Gone</h1>'),
    );
    const outcome = await openClient(row, origin, { credentials }).create(buildPayload());
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'endpoint_moved', JSON.stringify(outcome));
    assert.match(outcome.reason, /closed or moved its API/);
  }
  const login = await startServer(context, (_request, response) => response.writeHead(302, { location: '/m' }).end());
  assert.equal((await openClient(row, login, { credentials }).create(buildPayload())).kind, 'unknown');
});
