/** What only Ghost does: signed requests, changes that collide, drift, redirected addresses. */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { jwtVerify } from 'jose';
import { ghost } from '../../../destinations/ghost/index.ts';
import type { DestinationClient } from '../../../destinations/types.ts';
import { DEMO_GHOST_KEY } from '../../../sandbox/app.ts';
import { closedOrigin, done, makeArticle, startSandbox, startServer } from '../stand-ins.ts';

const [keyId = '', secret = ''] = DEMO_GHOST_KEY.split(':');
const POST = {
  id: '665f1f77bcf86cd799439099',
  url: 'https://blog.example.com/x/',
  slug: 'x',
  status: 'published',
  canonical_url: 'https://blog.example.com/x',
  updated_at: '2026-01-01T00:00:00.000Z',
};

function openGhost(baseUrl: string, changes: { adminKey?: string; now?: () => Date } = {}): DestinationClient<unknown> {
  return ghost.createClient({
    connection: { baseUrl, credentials: { adminKey: changes.adminKey ?? DEMO_GHOST_KEY } },
    timeoutMs: 5000,
    now: changes.now ?? (() => new Date()),
    allowPrivate: true,
  });
}

/** A Ghost that gives scripted answers and keeps the requests. */
async function startGhost(
  context: TestContext,
  answer: (request: { method: string; path: string; body: Record<string, unknown> }) => {
    status: number;
    json: unknown;
  },
) {
  const seen: { method: string; path: string; headers: IncomingMessage['headers']; body: Record<string, unknown> }[] =
    [];
  const origin = await startServer(context, (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { method = '', url: path = '', headers } = request;
      const body = text === '' ? {} : (JSON.parse(text) as { posts: Record<string, unknown>[] }).posts[0];
      const asked = { method, path, headers, body: body ?? {} };
      seen.push(asked);
      const { status, json } = answer(asked);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    });
  });
  return { origin, seen };
}

const collision = {
  status: 409,
  json: { errors: [{ message: 'Saving failed! Someone else is editing this post.', code: 'UPDATE_COLLISION' }] },
};
const buildPayload = (changes = {}) => ghost.format(makeArticle(changes)).payload;

test('every request carries a new token, signed with the decoded secret and valid for five minutes', async (context) => {
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
    const { account } = done(await openGhost(`${url}/ghost-site${path}`).probe());
    assert.equal(account, 'ghost.sandbox.example', path);
  }
});

test('an address without a Ghost is refused as such', async (context) => {
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

test('an update names the version that it saw', async (context) => {
  const { origin, seen } = await startGhost(context, () => ({ status: 200, json: { posts: [POST] } }));
  const post = done(await openGhost(origin).update(POST.id, buildPayload({ slug: 'not-sent' })));
  assert.deepEqual(post, { remoteId: POST.id, url: POST.url, changedAt: POST.updated_at });
  assert.deepEqual(
    seen.map(({ method }) => method),
    ['GET', 'PUT'],
  );
  assert.equal(seen[1]?.body.updated_at, POST.updated_at);
  assert.equal(seen[1]?.body.status, 'published');
  assert.ok(!('slug' in (seen[1]?.body ?? {})), 'a new slug would break links');
});

test('after a collision the post is looked at again, and the change is made for that version', async (context) => {
  let version = 0;
  const at = () => `2026-01-01T00:00:0${version}.000Z`;
  const { origin, seen } = await startGhost(context, ({ method, body }) => {
    if (method === 'GET') {
      const json = { posts: [{ ...POST, updated_at: at() }] };
      // Somebody saves right after our first look.
      if (version === 0) version = 1;
      return { status: 200, json };
    }
    return body.updated_at === at() ? { status: 200, json: { posts: [{ ...POST, updated_at: at() }] } } : collision;
  });
  assert.equal(done(await openGhost(origin).update(POST.id, buildPayload())).changedAt, at());
  assert.deepEqual(
    seen.map(({ method }) => method),
    ['GET', 'PUT', 'GET', 'PUT'],
  );
});

test('a collision with an edit by hand is drift, unless the author asked to overwrite', async (context) => {
  let looks = 0;
  const { origin, seen } = await startGhost(context, ({ method }) => {
    if (method !== 'GET') return collision;
    looks += 1;
    return { status: 200, json: { posts: [{ ...POST, updated_at: `2026-01-01T00:00:0${looks}.000Z` }] } };
  });
  const outcome = await openGhost(origin).update(POST.id, buildPayload(), '2026-01-01T00:00:01.000Z');
  assert.ok(outcome.kind === 'drifted' && outcome.changedAt === '2026-01-01T00:00:02.000Z', JSON.stringify(outcome));
  assert.equal(seen.filter(({ method }) => method === 'PUT').length, 1);
});

test('after repeated collisions the update is unavailable', async (context) => {
  const { origin, seen } = await startGhost(context, ({ method }) =>
    method === 'GET' ? { status: 200, json: { posts: [POST] } } : collision,
  );
  assert.equal((await openGhost(origin).update(POST.id, buildPayload())).kind, 'unavailable');
  assert.equal((await openGhost(origin).withdraw(POST.id)).kind, 'unavailable');
  assert.equal(seen.length, 12);
});

test('a post that was changed since is left alone', async (context) => {
  const { origin, seen } = await startGhost(context, () => ({ status: 200, json: { posts: [POST] } }));
  const client = openGhost(origin);
  const drifted = await client.update(POST.id, buildPayload(), '2025-12-31T23:59:00.000Z');
  assert.ok(drifted.kind === 'drifted' && drifted.changedAt === POST.updated_at);
  assert.deepEqual(
    seen.map(({ method }) => method),
    ['GET'],
  );
  for (const since of [POST.updated_at, null, undefined]) done(await client.update(POST.id, buildPayload(), since));
});

test('a draft is published again whenever it was changed, because the withdrawal was its last change', async (context) => {
  const draft = { ...POST, status: 'draft' };
  const { origin, seen } = await startGhost(context, () => ({ status: 200, json: { posts: [draft] } }));
  done(await openGhost(origin).update(POST.id, buildPayload(), '2025-12-31T23:59:59.000Z'));
  assert.equal(seen[1]?.body.status, 'published');
});

test('a canonical URL inside the same Ghost is found, although Ghost keeps another spelling of it', async (context) => {
  const { url } = await startSandbox(context);
  const client = openGhost(`${url}/ghost-site`);
  const article = makeArticle({ canonicalUrl: `${url}/ghost-site/it's-here/` });
  const post = done(await client.create(ghost.format(article).payload));
  assert.deepEqual(done(await client.find({ ...article, slug: 'other' })), post);
});

test('the filter finds the post at once; only a canonical URL with another spelling needs the whole list', async (context) => {
  const entry = (index: number) => ({
    ...POST,
    id: index.toString(16).padStart(24, '0'),
    canonical_url: `https://a.io/${index}`,
  });
  const { origin, seen } = await startGhost(context, ({ path }) => {
    const { searchParams } = new URL(path, 'http://x');
    if (searchParams.has('filter')) return { status: 200, json: { posts: [], meta: {} } };
    const page = Number(searchParams.get('page'));
    const posts = Array.from({ length: 100 }, (_, index) => entry((page - 1) * 100 + index));
    return { status: 200, json: { posts, meta: { pagination: { next: page + 1 } } } };
  });
  const find = (index: number) =>
    openGhost(origin).find({ canonicalUrl: `https://a.io/${index}/`, slug: 's', title: 't' });
  assert.equal(done(await find(250))?.remoteId, entry(250).id);
  assert.equal(seen.length, 4);
  assert.equal((await find(99_999)).kind, 'unavailable', 'beyond the end of the walk nothing is known');
  assert.equal(seen.length, 4 + 101, 'the walk has an end');
  assert.match(seen[0]?.path ?? '', /filter=canonical_url/);
});

test('a quote in a canonical URL cannot end the filter’s string', async (context) => {
  const { origin, seen } = await startGhost(context, () => ({ status: 200, json: { posts: [] } }));
  await openGhost(origin).find({
    canonicalUrl: "https://a.io/'+status:draft,slug:'x",
    slug: "s'],id:'1\\",
    title: 't',
  });
  const filter = new URL(seen[0]?.path ?? '', 'http://x').searchParams.get('filter') ?? '';
  assert.doesNotMatch(filter.replace(/'(?:[^'\\]|\\.)*'/g, '_'), /status|id:/);
});

test('of a draft and a published post with one canonical URL, the published one is found', async (context) => {
  const canonical_url = 'https://a.io/x';
  const published = { ...POST, id: '1'.repeat(24), canonical_url };
  const { origin } = await startGhost(context, () => ({
    status: 200,
    json: { posts: [{ ...POST, id: '2'.repeat(24), canonical_url, status: 'draft' }, published] },
  }));
  const post = await openGhost(origin).find({ canonicalUrl: canonical_url, slug: 'x', title: 't' });
  assert.equal(done(post)?.remoteId, published.id);
});

test('each refusal by Ghost has a code, and quotes no key and no token', async (context) => {
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
    assert.equal(outcome.kind === 'rejected' && outcome.maybeSaved === true, status === 422);
    const { reason } = outcome as { reason: string };
    for (const part of [secret, DEMO_GHOST_KEY, token]) assert.ok(!reason.includes(part), reason);
    assert.doesNotMatch(reason, /\p{Cc}/u);
  }
});

test('a post that is gone is reported as gone by every change', async (context) => {
  const { url } = await startSandbox(context);
  const client = openGhost(`${url}/ghost-site`);
  for (const outcome of [await client.update(POST.id, buildPayload()), await client.withdraw(POST.id)]) {
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_gone', JSON.stringify(outcome));
  }
});

test('an answer that names another post is not accepted', async (context) => {
  for (const change of [{ id: '../../users' }, { id: 7 }, { url: 'javascript:alert(1)' }, { updated_at: 'soon' }]) {
    const { origin } = await startGhost(context, () => ({ status: 201, json: { posts: [{ ...POST, ...change }] } }));
    assert.equal((await openGhost(origin).create(buildPayload())).kind, 'unknown', JSON.stringify(change));
  }
});
