/** The simulated Forem is as strict as Forem's documentation. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { buildSandbox, DEMO_FOREM_KEY, type SandboxOptions } from '../../sandbox/app.ts';

type Json = Record<string, unknown>;

interface Forem {
  url: string;
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; json: Json }>;
  create(article: Json): Promise<{ status: number; headers: Headers; json: Json }>;
}

async function startForem(context: TestContext, options: SandboxOptions = {}): Promise<Forem> {
  const sandbox = await buildSandbox({ rateLimits: false, ...options });
  context.after(() => sandbox.close());
  const { url } = await sandbox.listen();
  const call: Forem['call'] = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}/forem/api${path}`, {
      method,
      headers: { 'api-key': DEMO_FOREM_KEY, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : { text },
    };
  };
  return { url, call, create: (article) => call('POST', '/articles', { article }) };
}

const published = (changes: Json = {}): Json => ({
  title: `Title ${Math.random()}`,
  body_markdown: 'Body',
  published: true,
  tags: ['a'],
  ...changes,
});

test('a created article is returned completely, with its address in Location', async (context) => {
  const forem = await startForem(context);
  const { status, headers, json } = await forem.create(
    published({ title: 'Hello, World', tags: ['Node', 'b'], main_image: 'https://a.io/c.png' }),
  );
  assert.equal(status, 201);
  assert.equal(headers.get('location'), json.url);
  assert.deepEqual([json.tags, json.tag_list, json.cover_image], [['node', 'b'], 'node, b', 'https://a.io/c.png']);
  assert.ok(!('main_image' in json));
  // Without a canonical URL, the response contains the article's own address.
  assert.equal(json.canonical_url, json.url);
  assert.match(String(json.slug), /^hello-world-/);
  assert.equal((await fetch(String(json.url))).status, 200);
});

test('unknown keys, missing keys and clients without a user agent are refused', async (context) => {
  const forem = await startForem(context);
  for (const key of ['wrong', '', '__proto__']) {
    const { status, json } = await forem.call('POST', '/articles', { article: published() }, { 'api-key': key });
    assert.deepEqual([status, json], [401, { error: 'unauthorized', status: 401 }]);
  }
  const nameless = await forem.call('GET', '/users/me', undefined, { 'user-agent': '' });
  assert.equal(nameless.status, 403);
});

test('parameters must be wrapped in an object called article', async (context) => {
  const forem = await startForem(context);
  for (const body of [{}, published(), { article: {} }, { article: 'text' }, { article: [] }, [], 'null']) {
    const { status, json } = await forem.call('POST', '/articles', body);
    assert.deepEqual([status, json.status], [422, 422], JSON.stringify(body));
  }
  assert.equal((await forem.call('POST', '/articles', '{')).status, 400);
});

describe('validations', () => {
  const refused: [string, Json, RegExp][] = [
    ['more than four tags', { tags: ['a', 'b', 'c', 'd', 'e'] }, /maximum of 4 tags/],
    ['a tag with a hyphen', { tags: ['a-b'] }, /contains non-ASCII characters/],
    ['a tag that is not ASCII', { tags: ['é'] }, /contains non-ASCII characters/],
    ['a tag over 30 characters', { tags: ['x'.repeat(31)] }, /maximum is 30 characters/],
    ['no title', { title: ' ' }, /can't be blank/],
    ['a title over 128 characters', { title: 'x'.repeat(129) }, /maximum is 128 characters/],
    ['a body over 800 KiB', { body_markdown: 'é'.repeat(410 * 1024) }, /is too long\./],
    ['a canonical URL with a space', { canonical_url: 'https://a.io/b c' }, /must not have spaces/],
    ['an invalid canonical URL', { canonical_url: 'a.io/b' }, /not a valid URL/],
    ['a local canonical URL', { canonical_url: 'http://localhost:3000/b' }, /not a valid URL/],
    ['a publication in the past', { published_at: '2020-01-01T00:00:00Z' }, /only future or current/],
    ['more than seven mentions', { body_markdown: '@a @b @c @d @e @f @g @h' }, /mention more than 7/],
    ['an image in the text', { body_markdown: '<img src="data:image/png;base64,x">' }, /Invalid markdown/],
    ['an unknown Liquid tag', { body_markdown: 'Hi {% nope %}' }, /Unknown tag 'nope'/],
    ['an open Liquid variable', { body_markdown: 'Hi {{ x' }, /not properly terminated/],
    ['an unclosed raw', { body_markdown: '{% raw %} x' }, /never closed/],
  ];
  for (const [name, changes, message] of refused) {
    test(`${name} is refused`, async (context) => {
      const forem = await startForem(context);
      const { status, json } = await forem.create(published(changes));
      assert.equal(status, 422);
      assert.match(String(json.error), message);
      assert.deepEqual(await (await fetch(`${forem.url}/log`)).json(), []);
    });
  }

  const accepted: [string, Json][] = [
    ['four tags of 30 characters', { tags: ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(30)) }],
    ['128 characters that are not ASCII', { title: '😀'.repeat(128) }],
    [
      'Liquid in code and in raw',
      { body_markdown: '`{% nope %}`\n\n```\n{{ x\n```\n\n{% raw %}{% nope %}{% endraw %}' },
    ],
    ['a known embed and a variable', { body_markdown: '{% youtube abc %} {{ x }}' }],
    ['many mentions in code', { body_markdown: '`@a @b @c @d @e @f @g @h`' }],
  ];
  for (const [name, changes] of accepted) {
    test(`${name} are accepted`, async (context) => {
      assert.equal((await (await startForem(context)).create(published(changes))).status, 201);
    });
  }

  test('all problems are in one sentence', async (context) => {
    const { json } = await (await startForem(context)).create(
      published({ title: '', tags: ['é'], body_markdown: '{% nope %}' }),
    );
    assert.match(String(json.error), /^Title can't be blank, .*, and Tag/);
  });

  test('the product’s own address is a canonical URL although it is local', async (context) => {
    const forem = await startForem(context, { baseUrl: 'http://localhost:3000' });
    assert.equal((await forem.create(published({ canonical_url: 'http://127.0.0.1:3000/x' }))).status, 201);
    assert.equal((await forem.create(published({ canonical_url: 'http://localhost:3001/x' }))).status, 422);
  });
});

describe('duplicates', () => {
  test('a canonical URL is unique among published articles, not among drafts', async (context) => {
    const forem = await startForem(context);
    const canonical_url = 'https://a.io/x';
    assert.equal((await forem.create(published({ canonical_url }))).status, 201);
    const again = await forem.create(published({ canonical_url }));
    assert.equal(again.status, 422);
    assert.match(String(again.json.error), /Canonical url has already been taken/);
    const draft = await forem.create(published({ canonical_url, published: false }));
    assert.equal(draft.status, 201);
    const publish = await forem.call('PUT', `/articles/${draft.json.id}`, { article: { published: true } });
    assert.match(String(publish.json.error), /already been taken/);
  });

  test('a title can be used again after five minutes', async (context) => {
    let now = Date.parse('2026-11-21T12:00:00Z');
    const forem = await startForem(context, { now: () => new Date(now) });
    assert.equal((await forem.create(published({ title: 'Same' }))).status, 201);
    assert.match(String((await forem.create(published({ title: 'Same' }))).json.error), /last five minutes/);
    now += 5 * 60_000;
    assert.equal((await forem.create(published({ title: 'Same' }))).status, 201);
  });
});

describe('updates', () => {
  test('omitted tags are removed, and a string of tags is dropped', async (context) => {
    const forem = await startForem(context);
    const { json } = await forem.create(published({ tags: ['a'] }));
    const path = `/articles/${json.id}`;
    assert.deepEqual((await forem.call('PUT', path, { article: { title: 'New' } })).json.tags, []);
    const updated = await forem.call('PUT', path, { article: { tags: 'a, b' } });
    assert.deepEqual([updated.json.tags, updated.json.title], [[], 'New']);
  });

  test('a new title does not change the address of a published article, and its date cannot be changed', async (context) => {
    const forem = await startForem(context);
    const { json } = await forem.create(published({ title: 'Old' }));
    const path = `/articles/${json.id}`;
    assert.equal((await forem.call('PUT', path, { article: { title: 'New' } })).json.url, json.url);
    const moved = await forem.call('PUT', path, { article: { published_at: '2030-01-01T00:00:00Z' } });
    assert.match(String(moved.json.error), /already been published is not allowed/);
  });

  test('front matter in the body overrides the parameters', async (context) => {
    const forem = await startForem(context);
    const body_markdown = '---\ntitle: Inner\npublished: false\ntags: x, y\n---\nBody';
    const { json } = await forem.create(published({ title: 'Outer', body_markdown, description: 'gone' }));
    assert.deepEqual([json.title, json.tags, json.published_at, json.description], ['Inner', ['x', 'y'], null, '']);
  });

  test('an unpublished article is hidden from readers, first in its author’s list, and not shown by id', async (context) => {
    const forem = await startForem(context);
    const first = await forem.create(published());
    const second = await forem.create(published());
    await forem.call('PUT', `/articles/${first.json.id}`, { article: { published: false } });
    assert.equal((await fetch(String(first.json.url))).status, 404);
    assert.equal((await forem.call('GET', `/articles/${first.json.id}`)).status, 404);
    const all = (await forem.call('GET', '/articles/me/all')).json as unknown as Json[];
    assert.deepEqual(
      all.map(({ id, published }) => [id, published]),
      [
        [first.json.id, false],
        [second.json.id, true],
      ],
    );
  });

  test('an unknown article cannot be updated', async (context) => {
    const { status, json } = await (await startForem(context)).call('PUT', '/articles/1', { article: { title: 'x' } });
    assert.deepEqual([status, json], [404, { error: 'not found', status: 404 }]);
  });
});

test('lists swap tags and tag_list, and are paged', async (context) => {
  const forem = await startForem(context);
  for (let index = 0; index < 3; index += 1) await forem.create(published({ tags: ['a', 'b'] }));
  const { json } = await forem.call('GET', '/articles/me/all?per_page=2&page=2');
  const list = json as unknown as Json[];
  assert.equal(list.length, 1);
  assert.deepEqual([list[0]?.tags, list[0]?.tag_list, typeof list[0]?.body_markdown], ['a, b', ['a', 'b'], 'string']);
  const everyone = (await forem.call('GET', '/articles?username=demo')).json as unknown as Json[];
  assert.deepEqual([everyone.length, 'body_markdown' in (everyone[0] ?? {})], [3, false]);
  assert.equal((await forem.call('GET', `/articles/${everyone[0]?.id}`)).status, 200);
  assert.deepEqual((await forem.call('GET', '/articles?username=nobody')).json, []);
});

describe('rate limits', () => {
  function startWithClock(context: TestContext, options: SandboxOptions = {}) {
    const clock = { now: Date.parse('2026-11-21T12:00:00Z') };
    return { clock, forem: startForem(context, { rateLimits: true, now: () => new Date(clock.now), ...options }) };
  }

  test('the edge allows one write and three reads a second', async (context) => {
    const { clock, forem: starting } = startWithClock(context);
    const forem = await starting;
    assert.equal((await forem.create(published())).status, 201);
    const second = await forem.create(published());
    assert.deepEqual([second.status, second.headers.get('retry-after'), second.json.text], [429, '1', 'Retry later\n']);
    clock.now += 1000;
    assert.equal((await forem.create(published())).status, 201);
    const reads = [];
    for (let index = 0; index < 4; index += 1) reads.push((await forem.call('GET', '/users/me')).status);
    assert.deepEqual(reads, [200, 200, 200, 429]);
  });

  test('ten publications are allowed in thirty seconds, drafts not counted', async (context) => {
    const { clock, forem: starting } = startWithClock(context);
    const forem = await starting;
    const statuses: number[] = [];
    for (let index = 0; index < 12; index += 1) {
      statuses.push((await forem.create(published({ published: index > 0 }))).status);
      clock.now += 1000;
    }
    assert.deepEqual(statuses, [...Array(11).fill(201), 429]);
    const refused = await forem.create(published());
    assert.deepEqual(refused.json, { error: 'Rate limit reached, try again in 30 seconds', status: 429 });
    assert.equal(refused.headers.get('retry-after'), '30');
    clock.now += 30_000;
    assert.equal((await forem.create(published())).status, 201);
  });
});
