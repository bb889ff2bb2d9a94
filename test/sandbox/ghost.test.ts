/** The simulated Ghost is as strict as a real Ghost was observed to be. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { SignJWT } from 'jose';
import { buildSandbox, DEMO_GHOST_KEY, type SandboxOptions } from '../../sandbox/app.ts';

type Json = Record<string, unknown>;
interface Answer {
  status: number;
  headers: Headers;
  post: Json;
  posts: Json[];
  error: Json;
}

const [keyId = '', secret = ''] = DEMO_GHOST_KEY.split(':');
const now = () => Math.floor(Date.now() / 1000);

function sign(claims: Json = {}, kid = keyId, key: string | Uint8Array = Buffer.from(secret, 'hex')): Promise<string> {
  const payload = { iat: now(), exp: now() + 300, aud: '/admin/', ...claims };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
    .sign(typeof key === 'string' ? new TextEncoder().encode(key) : key);
}

async function startGhost(context: TestContext, options: SandboxOptions = {}) {
  const sandbox = await buildSandbox({ rateLimits: false, ...options });
  context.after(() => sandbox.close());
  const { url } = await sandbox.listen();
  const call = async (method: string, path: string, body?: unknown, authorization?: string): Promise<Answer> => {
    const answer = await fetch(`${url}/ghost-site/ghost/api/admin${path}`, {
      method,
      redirect: 'manual',
      headers: {
        authorization: authorization ?? `Ghost ${await sign()}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const json = text.startsWith('{') ? JSON.parse(text) : {};
    const { status, headers } = answer;
    return { status, headers, posts: json.posts, post: json.posts?.[0], error: json.errors?.[0] };
  };
  const create = (post: Json, query = '?source=html&formats=html') =>
    call('POST', `/posts/${query}`, { posts: [post] });
  const edit = (id: unknown, post: Json) => call('PUT', `/posts/${id}/?source=html&formats=html`, { posts: [post] });
  const log = async () => (await (await fetch(`${url}/log`)).json()) as Json[];
  return { url, call, create, edit, log };
}

test('a post is created, shown and logged', async (context) => {
  const ghost = await startGhost(context);
  const { status, post } = await ghost.create({
    title: 'Hello, World',
    html: '<p>Hi</p>',
    status: 'published',
    tags: ['C#', { name: 'News' }],
    canonical_url: 'https://a.io/hello',
  });
  assert.equal(status, 201);
  assert.match(String(post.id), /^[0-9a-f]{24}$/);
  assert.match(String(post.updated_at), /:\d\d\.000Z$/);
  assert.deepEqual(
    [post.slug, post.html, post.url],
    ['hello-world', '<p>Hi</p>', `${ghost.url}/ghost-site/hello-world/`],
  );
  assert.match(await (await fetch(String(post.url))).text(), /Hello, World/);
  assert.match(
    await (await fetch(`${ghost.url}/`)).text(),
    /Ghost \(cms_site, \/ghost-site\)[\s\S]*Hello, World[\s\S]*#C# #News/,
  );
  assert.deepEqual(
    (await ghost.log()).map(({ platform, action, remoteId, canonicalUrl }) => [
      platform,
      action,
      remoteId,
      canonicalUrl,
    ]),
    [['cms_site', 'create', post.id, 'https://a.io/hello']],
  );
});

describe('tokens', () => {
  test('only a token of a known key, for this API, of the last five minutes, is accepted', async (context) => {
    const ghost = await startGhost(context);
    for (const [authorization, status, code] of [
      [`Ghost ${await sign()}`, 200, undefined],
      [`Ghost ${await sign({ exp: now() + 9999 })}`, 200, undefined],
      [`Ghost ${await sign({ iat: now() + 3600, exp: now() + 3700 })}`, 200, undefined],
      ['', 403, null],
      [`Bearer ${await sign()}`, 401, 'INVALID_AUTH_HEADER'],
      ['Ghost nonsense', 400, 'INVALID_JWT'],
      [`Ghost ${await sign({}, '0'.repeat(24))}`, 401, 'UNKNOWN_ADMIN_API_KEY'],
      [`Ghost ${await sign({}, '__proto__')}`, 401, 'UNKNOWN_ADMIN_API_KEY'],
      [`Ghost ${await sign({}, keyId, secret)}`, 401, 'INVALID_JWT'],
      [`Ghost ${await sign({ aud: '/content/' })}`, 401, 'INVALID_JWT'],
      [`Ghost ${await sign({ exp: now() - 1 })}`, 401, 'INVALID_JWT'],
      [`Ghost ${await sign({ iat: now() - 400 })}`, 401, 'INVALID_JWT'],
    ] as const) {
      const answer = await ghost.call('GET', '/posts/', undefined, authorization);
      assert.deepEqual([answer.status, answer.error?.code], [status, code], JSON.stringify(answer.error));
    }
  });

  test('the title of the site is public', async (context) => {
    const { url } = await startGhost(context);
    const answer = await fetch(`${url}/ghost-site/ghost/api/admin/site/`);
    assert.equal(((await answer.json()) as { site: { version: string } }).site.version, '6.65');
  });
});

describe('refusals', () => {
  test('a post over a limit is a 422 that names the field, and nothing is stored', async (context) => {
    const ghost = await startGhost(context);
    for (const [post, message] of [
      [{}, /title/],
      [{ title: 'x'.repeat(256) }, /title/],
      [{ title: 'T', custom_excerpt: 'x'.repeat(301) }, /custom_excerpt/],
      [{ title: 'T', meta_description: 'x'.repeat(501) }, /meta_description/],
      [{ title: 'T', canonical_url: 'https://a.io/ü' }, /canonical_url/],
      [{ title: 'T', feature_image: 'https://a.io/{x}' }, /feature_image/],
      [{ title: 'T', html: 5 }, /html/],
      [{ title: 'T', status: 'public' }, /status/],
      [{ title: 'T', tags: 'a, b' }, /tags/],
      [{ title: 'T', tags: [{}] }, /tags/],
      [{ title: 'T', tags: [',a'] }, /tags/],
    ] as const) {
      const { status, error } = await ghost.create(post);
      assert.equal(status, 422, JSON.stringify(post));
      assert.match(String(error.context), message);
      assert.equal(error.type, 'ValidationError');
    }
    for (const body of [{}, { posts: [] }, { posts: [{ title: 'A' }, { title: 'B' }] }, { posts: [null] }]) {
      assert.equal((await ghost.call('POST', '/posts/', body)).status, 422);
    }
    assert.deepEqual(await ghost.log(), []);
  });

  test('a change must name the version that it is based on', async (context) => {
    const ghost = await startGhost(context);
    const { post } = await ghost.create({ title: 'T', html: '<p>a</p>' });
    assert.equal((await ghost.edit(post.id, { title: 'U' })).status, 422);
    const changed = await ghost.edit(post.id, { title: 'U', updated_at: post.updated_at });
    assert.equal(changed.post.title, 'U');
    assert.notEqual(changed.post.updated_at, post.updated_at);
    const late = await ghost.edit(post.id, { title: 'V', updated_at: post.updated_at });
    assert.deepEqual([late.status, late.error.code], [409, 'UPDATE_COLLISION']);
    // Without a real change, any version is accepted.
    const same = await ghost.edit(post.id, { title: 'U', updated_at: post.updated_at });
    assert.deepEqual([same.status, same.post.updated_at], [200, changed.post.updated_at]);
  });

  test('an unknown endpoint, or one without its slash, is a 406 for a client of another version', async (context) => {
    const ghost = await startGhost(context);
    for (const path of ['/nothing/', '/posts?limit=1']) {
      const { status, error } = await ghost.call('GET', path);
      assert.deepEqual([status, error.code], [406, 'UPDATE_CLIENT']);
    }
  });
});

test('HTML is used only if it is named as the source, and loses elements that the editor does not support', async (context) => {
  const ghost = await startGhost(context);
  assert.equal((await ghost.create({ title: 'T', html: '<p>a</p>' }, '?formats=html')).post.html, null);
  const card = '<!--kg-card-begin: html--><table><tr><td>1</td></tr></table><!--kg-card-end: html-->';
  const { post } = await ghost.create({
    title: 'T',
    html: `<p>a</p><table><tr><td>2</td></tr></table>${card}<details>d</details>`,
  });
  assert.equal(post.html, `<p>a</p>2${card}d`);
});

test('a slug in use gets a number, so a repeated create adds a second post', async (context) => {
  const ghost = await startGhost(context);
  const slugs = [];
  for (let index = 0; index < 3; index += 1)
    slugs.push((await ghost.create({ title: 'Ünï', slug: 'a-slug' })).post.slug);
  assert.deepEqual(slugs, ['a-slug', 'a-slug-2', 'a-slug-3']);
  assert.equal((await ghost.create({ title: 'Ünï code' })).post.slug, 'uni-code');
  assert.equal((await ghost.create({ title: '' })).post.title, '(Untitled)');
});

test('a draft is not public, and is published again at the same address', async (context) => {
  const ghost = await startGhost(context);
  const { post } = await ghost.create({ title: 'T', status: 'published' });
  const draft = await ghost.edit(post.id, { status: 'draft', updated_at: post.updated_at });
  assert.match(String(draft.post.url), /\/p\/[0-9a-f-]{36}\/$/);
  assert.equal((await fetch(String(post.url))).status, 404);
  const back = await ghost.edit(post.id, { status: 'published', updated_at: draft.post.updated_at });
  assert.deepEqual([back.post.url, back.post.published_at], [post.url, post.published_at]);
  assert.deepEqual(
    (await ghost.log()).map(({ action }) => action),
    ['create', 'withdraw', 'update'],
  );
});

test('every request for an unknown post is a 404', async (context) => {
  const ghost = await startGhost(context);
  const unknown = '0'.repeat(24);
  assert.equal((await ghost.call('GET', `/posts/${unknown}/`)).status, 404);
  assert.equal((await ghost.edit(unknown, { title: 'U', updated_at: new Date().toISOString() })).status, 404);
});

test('posts are filtered by their columns, and paged', async (context) => {
  const ghost = await startGhost(context);
  const inside = `${ghost.url}/ghost-site/inside/`;
  for (const canonical_url of ["https://a.io/it's", 'https://a.io/b', '/inside/']) {
    await ghost.create({ title: 'T', canonical_url });
  }
  const filtered = async (filter: string) => {
    const { status, posts } = await ghost.call(
      'GET',
      `/posts/?fields=canonical_url&filter=${encodeURIComponent(filter)}`,
    );
    return status === 200 ? posts.map((post) => post.canonical_url) : status;
  };
  assert.deepEqual(await filtered("canonical_url:'https://a.io/it\\'s'"), ["https://a.io/it's"]);
  assert.deepEqual(await filtered("canonical_url:['https://a.io/b','https://x.io'],slug:'t'"), [
    'https://a.io/b',
    "https://a.io/it's",
  ]);
  // Ghost stores addresses of its own site with a placeholder, and a filter compares that value.
  assert.deepEqual(await filtered(`canonical_url:'${inside}'`), []);
  assert.deepEqual(await filtered("canonical_url:'__GHOST_URL__/inside/'"), [inside]);
  for (const wrong of ['canonical_url:', "secret:'x'", "__proto__:'x'", "canonical_url:'a"]) {
    assert.equal(await filtered(wrong), 400, wrong);
  }
  const page = await ghost.call('GET', '/posts/?limit=2&page=2&fields=slug');
  assert.deepEqual(page.posts, [{ slug: 't' }]);
});
