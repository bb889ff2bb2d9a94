/** The simulated LinkedIn responds, refuses and truncates as LinkedIn does. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import {
  buildSandbox,
  DEMO_LINKEDIN_ORGANIZATION,
  DEMO_LINKEDIN_PERSON,
  DEMO_LINKEDIN_TOKEN,
  type SandboxOptions,
} from '../../sandbox/app.ts';
import { readLittleText } from '../../sandbox/linkedin/little-text.ts';

type Json = Record<string, unknown>;
type CallResult = { status: number; headers: Headers; text: string; json: Json };

interface Linkedin {
  url: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<CallResult>;
  create(post?: Json, headers?: Record<string, string>): Promise<CallResult>;
}

async function startLinkedin(context: TestContext, options: SandboxOptions = {}): Promise<Linkedin> {
  const sandbox = await buildSandbox({ rateLimits: false, ...options });
  context.after(() => sandbox.close());
  const { url } = await sandbox.listen();
  const call: Linkedin['call'] = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}/linkedin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${DEMO_LINKEDIN_TOKEN}`,
        'linkedin-version': '202608',
        'x-restli-protocol-version': '2.0.0',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, json: text.startsWith('{') ? JSON.parse(text) : {} };
  };
  return { url, call, create: (post, headers) => call('POST', '/rest/posts', share(post), headers) };
}

const share = (changes: Json = {}): Json => ({
  author: `urn:li:person:${DEMO_LINKEDIN_PERSON}`,
  commentary: `Words ${Math.random()}`,
  visibility: 'PUBLIC',
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
  content: { article: { source: 'http://localhost:3000/hello', title: 'Hello', description: 'World' } },
  lifecycleState: 'PUBLISHED',
  ...changes,
});

const fetchPage = async ({ url }: Linkedin, { headers }: CallResult) =>
  (await fetch(`${url}/linkedin/feed/update/${headers.get('x-restli-id')}/`)).text();

test('the URN of a created post is in a header, and the body is empty', async (context) => {
  const linkedin = await startLinkedin(context);
  const answer = await linkedin.create();
  assert.deepEqual([answer.status, answer.text], [201, '']);
  assert.match(answer.headers.get('x-restli-id') ?? '', /^urn:li:share:\d{19}$/);
  assert.match(await fetchPage(linkedin, answer), /Hello[\s\S]*http:\/\/localhost:3000\/hello[\s\S]*Words/);
  const asPage = await linkedin.create({ author: `urn:li:organization:${DEMO_LINKEDIN_ORGANIZATION}` });
  assert.equal(asPage.status, 201);
});

test('userinfo returns the owner of the token, without a version header', async (context) => {
  const linkedin = await startLinkedin(context);
  const { status, json } = await linkedin.call('GET', '/v2/userinfo', undefined, { 'linkedin-version': '' });
  assert.deepEqual([status, json.sub], [200, DEMO_LINKEDIN_PERSON]);
});

describe('refusals', () => {
  test('wrong tokens, and authors for which the token may not post, are refused', async (context) => {
    const linkedin = await startLinkedin(context);
    for (const authorization of ['', 'Bearer wrong', 'Bearer __proto__', DEMO_LINKEDIN_TOKEN]) {
      assert.equal((await linkedin.create({}, { authorization })).status, 401, authorization);
    }
    for (const author of ['urn:li:person:other', 'urn:li:organization:1']) {
      const { status, json } = await linkedin.create({ author });
      assert.deepEqual([status, json.code], [403, 'ACCESS_DENIED']);
    }
    assert.equal((await linkedin.create({ author: 'ann' })).status, 400);
  });

  test('a missing version is a 400, and one that is too old or too new is a 426', async (context) => {
    const linkedin = await startLinkedin(context);
    assert.equal((await linkedin.create({}, { 'linkedin-version': '' })).json.code, 'VERSION_MISSING');
    for (const version of ['202501', '209901', '2026-08', 'latest']) {
      const { status, json } = await linkedin.create({}, { 'linkedin-version': version });
      assert.deepEqual([status, json.code], [426, 'NONEXISTENT_VERSION']);
      assert.equal(json.message, `Requested version ${version} is not active`);
    }
    assert.equal((await linkedin.create({}, { 'x-restli-protocol-version': '1.0.0' })).status, 400);
  });

  test('a post with a missing, superfluous or malformed field is a 422', async (context) => {
    const linkedin = await startLinkedin(context);
    for (const wrong of [
      { commentary: undefined },
      { commentary: 7 },
      { visibility: 'EVERYBODY' },
      { distribution: {} },
      { lifecycleState: 'DRAFT' },
      { content: { article: { title: 'no source' } } },
      { content: { article: { source: 'https://a.io', image: 'x' } } },
      { subject: 'x' },
    ]) {
      const { status, json } = await linkedin.create(wrong);
      assert.equal(status, 422, JSON.stringify(wrong));
      assert.ok('errorDetails' in json);
    }
    assert.deepEqual(await (await fetch(`${linkedin.url}/log`)).json(), []);
  });
});

test('a card can only use an image that was announced and uploaded', async (context) => {
  const linkedin = await startLinkedin(context);
  const announce = (owner: string) =>
    linkedin.call('POST', '/rest/images?action=initializeUpload', { initializeUploadRequest: { owner } });
  assert.equal((await announce('urn:li:person:other')).status, 403);
  const { value } = (await announce(`urn:li:person:${DEMO_LINKEDIN_PERSON}`)).json as {
    value: { uploadUrl: string; image: string };
  };
  const article = { source: 'https://a.io/', thumbnail: value.image };
  assert.equal((await linkedin.create({ content: { article } })).status, 422);
  const put = (body: string) =>
    fetch(value.uploadUrl, { method: 'PUT', body, headers: { authorization: `Bearer ${DEMO_LINKEDIN_TOKEN}` } });
  assert.equal((await put('')).status, 400);
  assert.equal((await put('bytes')).status, 201);
  const answer = await linkedin.create({ content: { article } });
  assert.equal(answer.status, 201);
  assert.ok((await fetchPage(linkedin, answer)).includes(value.image));
});

test('an identical post is refused with the URN of the first, for ten minutes', async (context) => {
  let now = Date.parse('2026-11-21T12:00:00Z');
  const linkedin = await startLinkedin(context, { now: () => new Date(now) });
  const post = share();
  const urn = (await linkedin.create(post)).headers.get('x-restli-id');
  const again = await linkedin.create(post);
  assert.equal(again.status, 422);
  assert.equal(again.json.message, `Content is a duplicate of ${urn}`);
  const { inputErrors } = again.json.errorDetails as { inputErrors: Json[] };
  assert.equal(inputErrors[0]?.code, 'DUPLICATE_POST');
  // Another card is another post, and so is one of another author.
  assert.equal((await linkedin.create({ ...post, content: { article: { source: 'https://a.io/' } } })).status, 201);
  assert.equal(
    (await linkedin.create({ ...post, author: `urn:li:organization:${DEMO_LINKEDIN_ORGANIZATION}` })).status,
    201,
  );
  now += 10 * 60_000;
  assert.equal((await linkedin.create(post)).status, 201);
});

test('a repeated deletion has the same response, and an unknown post is a 404', async (context) => {
  const linkedin = await startLinkedin(context);
  const urn = (await linkedin.create()).headers.get('x-restli-id') ?? '';
  const path = `/rest/posts/${encodeURIComponent(urn)}`;
  for (let index = 0; index < 2; index += 1) {
    const { status, text } = await linkedin.call('DELETE', path);
    assert.deepEqual([status, text], [204, '']);
  }
  assert.equal((await linkedin.call('DELETE', '/rest/posts/urn%3Ali%3Ashare%3A1')).status, 404);
  assert.equal((await fetch(`${linkedin.url}/linkedin/feed/update/${urn}/`)).status, 404);
  const log = (await (await fetch(`${linkedin.url}/log`)).json()) as Json[];
  assert.deepEqual(
    log.map(({ action }) => action),
    ['create', 'withdraw'],
  );
});

test('an unescaped reserved character cuts the text off, and the response is still 201', async (context) => {
  const linkedin = await startLinkedin(context);
  const cut = await linkedin.create({ commentary: 'Before (after)' });
  assert.equal(cut.status, 201);
  const page = await fetchPage(linkedin, cut);
  assert.ok(page.includes('Before') && !page.includes('after'));
  for (const [text, shown] of [
    [String.raw`a \(b\) \\ \#c`, String.raw`a (b) \ #c`],
    ['#tag and {hashtag|\\#|tag2} end', '#tag and #tag2 end'],
    ['@[Ann Example](urn:li:person:abc) hi', 'Ann Example hi'],
    ['https://a.io/b_c?d=e#f~g end', 'https://a.io/b_c?d=e#f~g end'],
    ['snake_case', 'snake'],
    ['a @ b', 'a '],
    ['x'.repeat(4000), 'x'.repeat(3000)],
  ] as const) {
    assert.equal(readLittleText(text), shown);
  }
});

test('after 150 posts in a day, no more are accepted until midnight UTC', async (context) => {
  let now = Date.parse('2026-11-21T23:00:00Z');
  const linkedin = await startLinkedin(context, { rateLimits: true, now: () => new Date(now) });
  for (let index = 0; index < 150; index += 1) assert.equal((await linkedin.create()).status, 201);
  const refused = await linkedin.create();
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, null]);
  now += 60 * 60_000;
  assert.equal((await linkedin.create()).status, 201);
});
