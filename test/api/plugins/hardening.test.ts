/** Regression tests for hostile and unusual requests to the API. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { getIntrospectionQuery } from 'graphql';
import { markdown, startTestApi, type TestApi } from '../../support/api/api.ts';
import { waitForLock } from '../../support/database/locks.ts';
import { startProcessorWatch } from '../../support/processor-time.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi({ env: { PUBLISH_RATE_PER_MINUTE: '500' } });
});
after(() => api.close());

test('a NUL is accepted in the content and returns 404 in an address', async () => {
  const answer = await api.publish({ content: '---\ntitle: nul\n---\nHello \u0000 world\n' });
  assert.equal(answer.status, 201);
  for (const path of ['/%00', '/api/geo/posts/%00', '/authors/%00', `/${'x'.repeat(300)}`]) {
    assert.equal((await fetch(`${api.url}${path}`)).status, 404, path);
  }
});

test('an article with any script or emoji in its title is reachable at its Location', async () => {
  for (const title of ['𠀀'.repeat(80), 'Grüße aus Köln', '日本語のタイトル', '🙂🙂🙂']) {
    const { headers } = await api.publish({ content: markdown({ title }) });
    assert.equal((await fetch(headers.get('location') ?? '')).status, 200, title);
  }
});

test('a canonical URL that points at another author’s article does not remove that article from discovery (A18)', async () => {
  const attacker = await api.createAuthor('pointing-author');
  const old = await api.publish({ content: markdown({ title: 'Older one', id: 'older' }) }, { token: attacker.token });
  assert.equal(old.status, 201);
  const victim = await api.publish({ content: markdown({ title: 'Victim' }) });
  const pointing = markdown({ title: 'Older one', id: 'older', canonical_url: victim.body.data?.url });
  await api.publish({ content: pointing }, { token: attacker.token });
  assert.equal((await fetch(`${api.url}/api/geo/posts/${victim.body.data?.slug}`)).status, 200);
});

test('a draft that was never public gets no redirect from its old address', async () => {
  await api.publish({ content: markdown({ title: 'Secret', id: 'secret', slug: 'secret-first', draft: true }) });
  await api.publish({ content: markdown({ title: 'Secret', id: 'secret', slug: 'secret-merger', draft: true }) });
  assert.equal((await fetch(`${api.url}/secret-first`, { redirect: 'manual' })).status, 404);
});

test('a former slug and an upper-case id match their article', async () => {
  const first = await api.publish({ content: markdown({ title: 'Lived there', id: 'lived', slug: 'lived-a' }) });
  await api.publish({ content: markdown({ title: 'Lived there', id: 'lived', slug: 'lived-b' }) });
  const again = await api.publish({ content: markdown({ title: 'Other words', slug: 'lived-a' }) });
  assert.equal(again.body.data?.id, first.body.data?.id);
  const capitals = await api.publish({
    content: markdown({ title: 'In capitals', id: first.body.data?.id.toUpperCase() }),
  });
  assert.equal(capitals.body.data?.id, first.body.data?.id);
});

test('a slug that an uncommitted change frees is not assigned to another article', async () => {
  const mover = await api.publish({ content: markdown({ title: 'Mover', id: 'mover', slug: 'race-a' }) });
  const other = await api.createAuthor('race-runner');
  let second: ReturnType<TestApi['publish']> | undefined;
  await api.db.transaction().execute(async (tx) => {
    const articleId = mover.body.data?.id ?? '';
    await tx.updateTable('articles').set({ slug: 'race-b' }).where('id', '=', articleId).execute();
    second = api.publish({ content: markdown({ title: 'Runner', slug: 'race-a' }) }, { token: other.token });
    await waitForLock(api.db);
  });
  const answer = await second;
  assert.equal(answer?.status, 201);
  assert.notEqual(answer?.body.data?.slug, 'race-a');
});

test('null counts as absent for every optional field', async () => {
  const nothing = { markdown: null, canonicalUrl: null, baseUrl: null, coverImage: null, syndicationMode: null };
  assert.equal((await api.publish({ content: markdown({ title: 'Nulls' }), ...nothing })).status, 201);
  assert.equal((await api.publish({ content: null, markdown: null })).status, 422);
});

test('a cover image of the request has the same length limit as one of the frontmatter', async () => {
  const coverImage = `https://img.example/${'x'.repeat(5000)}`;
  const answer = await api.publish({ content: markdown({ title: 'Long cover' }), coverImage });
  assert.equal(answer.status, 422);
  assert.deepEqual(
    answer.body.errors?.map((error) => error.path),
    ['coverImage'],
  );
});

test('a compressed body returns 415 after authentication and rate limit', async () => {
  const answer = await api.publish('x', { headers: { 'content-encoding': 'gzip' } });
  assert.equal(answer.status, 415);
  assert.ok(answer.headers.get('ratelimit-remaining'));
  assert.equal((await api.publish('x', { token: 'none', headers: { 'content-encoding': 'gzip' } })).status, 401);
});

test('an unsupported method returns 405 with the allowed ones', async () => {
  const response = await fetch(`${api.url}/api/v1/articles`, { method: 'PUT' });
  assert.equal(response.status, 405);
  assert.equal(response.headers.get('allow'), 'GET, HEAD, OPTIONS, POST');
});

test('invalid HTTP and an unreadable address return problems that echo nothing of the request', async () => {
  const broken = await fetch(`${api.url}/%E0%A4%A?token=secret-in-the-address`);
  assert.equal(broken.status, 400);
  assert.doesNotMatch(await broken.text(), /secret-in-the-address/);
  const raw = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => socket.end('NONSENSE\r\n\r\n'));
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on('close', () => resolve(text));
  });
  assert.match(raw, /^HTTP\/1\.1 400 /);
  assert.match(raw, /application\/problem\+json/);
});

test('HEAD on the stream opens no stream', async () => {
  const token = await api.sessions.issue('courant:stream', api.author.id);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const outgoing = request(`${api.url}/notifications/stream?token=${token}`, { method: 'HEAD' }, (response) => {
      resolve(response.statusCode);
      response.resume();
    });
    outgoing.on('error', reject).end();
  });
  assert.equal(status, 405);
});

test('GraphQL reports document errors, allows introspection with a session, and shows no internals', async () => {
  const runGraphql = async (query: string, variables = {}, headers = {}) => {
    const response = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    });
    return {
      status: response.status,
      body: (await response.json()) as { data: unknown; errors?: { message: string }[] },
    };
  };
  const wrong = await runGraphql('{ nope }');
  assert.equal(wrong.status, 400);
  assert.match(wrong.body.errors?.[0]?.message ?? '', /Cannot query field "nope"/);
  const authorization = `Bearer ${await api.sessions.issue('courant:session', api.author.id)}`;
  assert.ok((await runGraphql(getIntrospectionQuery(), {}, { authorization })).body.data);
  const nul = await runGraphql('mutation($e: String!) { login(email: $e, password: "x") { accessToken } }', {
    e: 'a\u0000b',
  });
  assert.doesNotMatch(JSON.stringify(nul.body), /byte sequence|UTF8|select|invalid/i);
});

test('a large body of unknown fields does not delay other requests by seconds', async () => {
  const heavy = JSON.stringify({ content: '# a', x: Array.from({ length: 1_500_000 }, () => 0) });
  const readUsedMs = startProcessorWatch();
  const publishing = api.publish(heavy);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await fetch(`${api.url}/health/live`);
  const usedMs = readUsedMs();
  assert.equal((await publishing).status, 201);
  assert.ok(usedMs < 1_500, `${usedMs} ms`);
});

test('200 KB of hostile Markdown is rendered or rejected in bounded time, while other requests are served (A25)', async () => {
  for (const piece of ['[', '*a_', '> ', '`', '![a](']) {
    const content = `---\ntitle: Feared ${piece.length}${piece.charCodeAt(0)}\n---\n\n${piece.repeat(200_000 / piece.length)}\n`;
    const started = performance.now();
    const publishing = api.publish({ content });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const readUsedMs = startProcessorWatch();
    await fetch(`${api.url}/health/live`);
    const usedMs = readUsedMs();
    const answer = await publishing;
    assert.ok([201, 422].includes(answer.status), `${piece}: ${answer.status}`);
    if (answer.status === 422) assert.equal(answer.body.code, 'too_complex');
    // A document may take 15 seconds if its thread gets little processor time.
    assert.ok(performance.now() - started < 20_000, piece);
    assert.ok(usedMs < 1_000, `${piece}: another request waited for ${usedMs} ms of work`);
  }
});
