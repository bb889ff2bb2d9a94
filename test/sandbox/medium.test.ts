/** The simulated Medium accepts and ignores input as Medium's documentation describes. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { buildSandbox, DEMO_MEDIUM_TOKEN, DEMO_MEDIUM_USER, type SandboxOptions } from '../../sandbox/app.ts';

type Json = Record<string, unknown>;

interface Medium {
  url: string;
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; json: Json }>;
  create(post: Json): Promise<{ status: number; headers: Headers; json: Json }>;
}

async function startMedium(context: TestContext, options: SandboxOptions = {}): Promise<Medium> {
  const sandbox = await buildSandbox({ rateLimits: false, ...options });
  context.after(() => sandbox.close());
  const { url } = await sandbox.listen();
  const call: Medium['call'] = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}/medium/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${DEMO_MEDIUM_TOKEN}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, json: text.startsWith('{') ? JSON.parse(text) : { text } };
  };
  return { url, call, create: (post) => call('POST', `/users/${DEMO_MEDIUM_USER}/posts`, post) };
}

const story = (changes: Json = {}): Json => ({
  title: 'Hello, World',
  contentFormat: 'html',
  content: '<p>x</p>',
  ...changes,
});
const readData = ({ json }: { json: Json }) => json.data as Json;

test('a created post is returned without its content, and has a page', async (context) => {
  const medium = await startMedium(context);
  const answer = await medium.create(story({ tags: ['a'], canonicalUrl: 'http://localhost:3000/hello' }));
  assert.equal(answer.status, 201);
  const { id, url, publishedAt, ...rest } = readData(answer);
  assert.match(String(id), /^[0-9a-f]{12}$/);
  assert.equal(url, `${medium.url}/medium/@demo/hello-world-${id}`);
  assert.equal(typeof publishedAt, 'number');
  assert.deepEqual(
    { ...rest, licenseUrl: '' },
    {
      title: 'Hello, World',
      authorId: DEMO_MEDIUM_USER,
      tags: ['a'],
      canonicalUrl: 'http://localhost:3000/hello',
      publishStatus: 'public',
      license: 'all-rights-reserved',
      licenseUrl: '',
    },
  );
  assert.equal((await fetch(String(url))).status, 200);
  const home = await (await fetch(medium.url)).text();
  assert.match(home, /Medium \(blogsite_c\)[\s\S]*Hello, World/);
});

test('long titles and tags, and tags after the third, are ignored without an error', async (context) => {
  const medium = await startMedium(context);
  const content = '<h1>From the text</h1><p>x</p>';
  const answer = await medium.create(story({ title: 't'.repeat(101), content, tags: ['a', 'b'.repeat(26), 'c', 'd'] }));
  assert.deepEqual([readData(answer).title, readData(answer).tags], ['From the text', ['a', 'c']]);
});

test('a draft has no date, and only its author sees it', async (context) => {
  const medium = await startMedium(context);
  const { url, ...draft } = readData(await medium.create(story({ publishStatus: 'draft' })));
  assert.ok(!('publishedAt' in draft) && !('canonicalUrl' in draft));
  assert.equal((await fetch(String(url))).status, 404);
});

test('missing fields and unknown values are a 400', async (context) => {
  const medium = await startMedium(context);
  for (const wrong of [
    { title: '' },
    { content: undefined },
    { contentFormat: 'text' },
    { tags: 'a, b' },
    { canonicalUrl: 'hello' },
    { publishStatus: 'published' },
    { license: 'mit' },
    { notifyFollowers: 'yes' },
  ]) {
    const { status, json } = await medium.create(story(wrong));
    assert.equal(status, 400, JSON.stringify(wrong));
    assert.equal(typeof (json.errors as Json[])[0]?.message, 'string');
  }
  assert.deepEqual(await (await fetch(`${medium.url}/log`)).json(), []);
});

test('wrong tokens, other people’s ids and clients without a user agent are refused', async (context) => {
  const medium = await startMedium(context);
  assert.equal(readData(await medium.call('GET', '/me')).username, 'demo');
  for (const [authorization, code] of [
    ['', 6000],
    ['Bearer wrong', 6003],
    ['Bearer __proto__', 6003],
  ] as const) {
    const { status, json } = await medium.call('GET', '/me', undefined, { authorization });
    assert.deepEqual([status, (json.errors as Json[])[0]?.code], [401, code]);
  }
  assert.equal((await medium.call('POST', '/users/another/posts', story())).status, 403);
  const nameless = await medium.call('GET', '/me', undefined, { 'user-agent': '' });
  assert.deepEqual([nameless.status, nameless.headers.get('cf-mitigated')], [403, 'challenge']);
});

test('a post cannot be read, changed or deleted', async (context) => {
  const medium = await startMedium(context);
  const { id } = readData(await medium.create(story()));
  for (const method of ['GET', 'PUT', 'DELETE']) {
    assert.equal((await medium.call(method, `/posts/${id}`, method === 'GET' ? undefined : {})).status, 404);
  }
  assert.equal((await medium.call('GET', `/users/${DEMO_MEDIUM_USER}/posts`)).status, 404);
});

test('each account can create ten posts in 24 hours', async (context) => {
  let now = Date.parse('2026-11-21T12:00:00Z');
  const medium = await startMedium(context, { rateLimits: true, now: () => new Date(now) });
  const statuses: number[] = [];
  for (let index = 0; index < 11; index += 1) {
    statuses.push((await medium.create(story())).status);
    now += 60_000;
  }
  assert.deepEqual(statuses, [...Array(10).fill(201), 429]);
  const refused = await medium.create(story());
  assert.equal((refused.json.errors as Json[])[0]?.message, 'User has reached the rate limit for publishing today.');
  assert.equal(refused.headers.get('retry-after'), null);
  now += 24 * 60 * 60_000;
  assert.equal((await medium.create(story())).status, 201);
});
