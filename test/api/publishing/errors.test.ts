import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { revokeDeveloperToken } from '../../../store/tokens/developer-tokens.ts';
import { markdown, type PublishAnswer, startTestApi, type TestApi } from '../../support/api/api.ts';

let api: TestApi;
before(async () => {
  api = await startTestApi();
});
after(() => api.close());

const JSON_TYPE = { 'content-type': 'application/json' };

/** Asserts that an error response has the fields of a problem. */
function assertProblem(answer: PublishAnswer, status: number, code: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.equal(answer.body.code, code);
  assert.equal(answer.body.success, false);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.ok(answer.body.detail);
  assert.ok(answer.body.requestId);
}

async function countArticles(): Promise<number> {
  const { count } = await api.db
    .selectFrom('articles')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

test('malformed JSON gives 400 with the position of the error', async () => {
  const answer = await api.publish('{"content": "x",}');
  assertProblem(answer, 400, 'malformed_json');
  assert.match(answer.body.detail ?? '', /column 17|character 16/);
});

test('a body that is not JSON is not quoted in the error', async () => {
  const answer = await api.publish('a secret');
  assertProblem(answer, 400, 'malformed_json');
  assert.doesNotMatch(JSON.stringify(answer.body), /secret/);
});

test('an empty body gives 400', async () => {
  assertProblem(await api.publish(''), 400, 'malformed_json');
});

test('invalid UTF-8 gives 400', async () => {
  const broken = Buffer.concat([Buffer.from('{"content":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
  assertProblem(await api.publish(broken), 400, 'malformed_utf8');
});

test('"__proto__" in the body is rejected and changes no prototype (A5)', async () => {
  assertProblem(await api.publish('{"content":"# x","__proto__":{"admin":true}}'), 400, 'malformed_json');
  assert.equal(({} as { admin?: boolean }).admin, undefined);
});

for (const [what, body, path] of [
  ['a body that is not an object', '"text"', 'body'],
  ['an array', '[]', 'body'],
  ['content that is not a string', { content: 7 }, 'content'],
  ['neither content nor markdown', { canonicalUrl: 'https://example.org/a' }, 'content'],
  ['empty content', { content: '  \n' }, 'content'],
  ['content and markdown that differ', { content: '# a', markdown: '# b' }, 'markdown'],
  ['a canonicalUrl that is not a string', { content: '# a', canonicalUrl: {} }, 'canonicalUrl'],
] as const) {
  test(`${what} gives a 422 that names ${path}`, async () => {
    const answer = await api.publish(body);
    assertProblem(answer, 422, 'invalid_request');
    assert.deepEqual(
      answer.body.errors?.map((error) => error.path),
      [path],
    );
  });
}

test('a publish without a text is rejected with the missing or empty field and what to send', async () => {
  const cases = [
    [{}, /^The field "content" is missing\. Send the Markdown document in it/],
    [{ content: null }, /^The field "content" is missing/],
    [{ content: ' \n' }, /^The field "content" is empty\. Write the text/],
    [{ markdown: '' }, /^The field "markdown" is empty/],
    [{ content: '# a', markdown: '# b' }, /^The fields "content" and "markdown" differ\. Send one of them/],
  ] as const;
  for (const [body, detail] of cases) assert.match((await api.publish(body)).body.detail ?? '', detail);
});

test('all invalid fields are reported at once', async () => {
  const answer = await api.publish({ content: 1, baseUrl: 2, coverImage: 3 });
  assertProblem(answer, 422, 'invalid_request');
  assert.deepEqual(answer.body.errors?.map((error) => error.path).sort(), ['baseUrl', 'content', 'coverImage']);
});

test('invalid YAML gives 422 with line and column', async () => {
  const answer = await api.publish({ content: '---\ntitle: "open\ntags: [a\n---\n\nText\n' });
  assertProblem(answer, 422, 'invalid_document');
  assert.ok((answer.body.errors?.[0]?.line ?? 0) >= 2);
  assert.ok((answer.body.errors?.[0]?.column ?? 0) >= 1);
});

test('invalid frontmatter fields are reported at once, with their positions', async () => {
  const answer = await api.publish({
    content: '---\ntitle: T\ntags: {a: 1}\nstatus: LIVE\ncanonical_url: nope\n---\nx\n',
  });
  assertProblem(answer, 422, 'invalid_document');
  assert.deepEqual(answer.body.errors?.map(({ path, line }) => `${line} ${path}`).sort(), [
    '3 tags',
    '4 status',
    '5 canonical_url',
  ]);
});

test('SCHEDULED without scheduled_at gives 422', async () => {
  const answer = await api.publish({ content: markdown({ title: 'When?', status: 'SCHEDULED' }) });
  assertProblem(answer, 422, 'invalid_document');
});

test('---js frontmatter is rejected without running it (A1)', async () => {
  const content = '---js\nglobalThis.courantPwned = true; module.exports = {title: "x"}\n---\n\nText\n';
  assertProblem(await api.publish({ content }), 422, 'invalid_document');
  assert.equal((globalThis as { courantPwned?: boolean }).courantPwned, undefined);
});

test('the same invalid YAML is rejected twice (A2)', async () => {
  const content = '---\ntitle: [\n---\nx\n';
  assert.equal((await api.publish({ content })).status, 422);
  assert.equal((await api.publish({ content })).status, 422);
});

test('1 MiB of content is accepted and one byte more gives 413, however it is escaped', async () => {
  // A code block, because parsing it is fast.
  const head = '---\ntitle: Big\n---\n\n~~~\n';
  const full = head + `${'word '.repeat(20)}\n\n`.repeat(12_000).slice(0, 1024 * 1024 - head.length);
  assert.equal(Buffer.byteLength(full), 1024 * 1024);
  const whole = await api.publish({ content: full });
  assert.ok([201, 422].includes(whole.status) && whole.body.code !== 'content_too_large', JSON.stringify(whole.body));
  assertProblem(await api.publish({ content: `${full}x` }), 413, 'content_too_large');
  // Counted in bytes: half as many two-byte letters.
  assertProblem(await api.publish({ content: `${head}${'é'.repeat(1024 * 512)}` }), 413, 'content_too_large');
});

test('a body far above the limit gives 413 before it is read completely (F23)', async () => {
  const answer = await api.publish(`{"content":"${'x'.repeat(8 * 1024 * 1024)}"}`);
  assertProblem(answer, 413, 'body_too_large');
});

for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json\ta', 'application/jsonx']) {
  test(`Content-Type ${JSON.stringify(type)} gives 415 (A16)`, async () => {
    const answer = await api.publish('{"content":"# a"}', { headers: { 'content-type': type } });
    assertProblem(answer, 415, 'unsupported_media_type');
  });
}

test('a gzipped body gives 415', async () => {
  const answer = await api.publish('x', { headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } });
  assertProblem(answer, 415, 'unsupported_encoding');
});

for (const [what, authorization] of [
  ['no token', undefined],
  ['an empty token', 'Bearer '],
  ['a malformed token', 'Bearer courant_short'],
  ['another scheme', 'Basic Y291cmFudDp4'],
  ['an unknown token', `Bearer courant_${'0'.repeat(48)}`],
  ['a token of another service', `Bearer other_${'0'.repeat(48)}`],
] as const) {
  test(`${what} gives 401 with WWW-Authenticate`, async () => {
    const response = await fetch(`${api.url}/api/v1/articles`, {
      method: 'POST',
      headers: { ...JSON_TYPE, ...(authorization === undefined ? {} : { authorization }) },
      body: '{"content":"# a"}',
    });
    assert.equal(response.status, 401);
    assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer realm="courant"/);
    assert.equal(response.headers.get('ratelimit-limit'), null);
    const body = (await response.json()) as PublishAnswer['body'];
    assert.equal(body.success, false);
  });
}

test('a revoked or expired token gives 401', async () => {
  const author = await api.createAuthor('revoked-one');
  await revokeDeveloperToken(api.db, { userId: author.id, tokenId: author.tokenId, now: new Date() });
  assertProblem(await api.publish({ content: '# a' }, { token: author.token }), 401, 'invalid_token');

  const late = await api.createAuthor('expired-one');
  await api.db
    .updateTable('developerTokens')
    .set({ expiresAt: new Date(0) })
    .where('id', '=', late.tokenId)
    .execute();
  assertProblem(await api.publish({ content: '# a' }, { token: late.token }), 401, 'invalid_token');
});

test('a suspended author gets 403 before the body is read, and nothing changes', async () => {
  const author = await api.createAuthor('suspended-one');
  await api.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', author.id).execute();
  const before = await countArticles();
  for (const body of [{ content: '# a' }, { nothing: 'of use' }])
    assertProblem(await api.publish(body, { token: author.token }), 403, 'author_suspended');
  assert.equal(await countArticles(), before);
});

test('another author’s id, slug and canonical URL change none of their articles and reveal nothing (A18)', async () => {
  const canonical = 'https://blog.example/owned';
  const content = markdown({ title: 'Owned', id: 'owned-1', slug: 'owned', canonical_url: canonical });
  const owned = await api.publish({ content });
  const stranger = await api.createAuthor('stranger');
  for (const frontmatter of [
    { title: 'Mine 1', id: owned.body.data?.id },
    { title: 'Mine 2', id: 'owned-1' },
    { title: 'Mine 3', canonical_url: canonical },
  ]) {
    const answer = await api.publish({ content: markdown(frontmatter) }, { token: stranger.token });
    assert.equal(answer.status, 201);
    assert.notEqual(answer.body.data?.id, owned.body.data?.id);
    // A clash warning names only the canonical URL of public articles.
    const warnings = 'canonical_url' in frontmatter ? ['canonical_clash'] : undefined;
    assert.deepEqual(
      answer.body.warnings?.map(({ code }) => code),
      warnings,
    );
  }
  const other = await api.publish({ content: markdown({ title: 'Mine 4', slug: 'owned' }) }, { token: stranger.token });
  assert.equal(other.status, 201);
  assert.notEqual(other.body.data?.slug, 'owned');
  assert.deepEqual(
    other.body.warnings?.map((warning) => warning.code),
    ['slug_taken'],
  );
  const again = await api.publish({ content });
  assert.deepEqual(again.body.data, owned.body.data);
});

test('an unknown address gives a 404 problem for every method', async () => {
  const response = await fetch(`${api.url}/api/v1/nothing`, { method: 'POST' });
  assert.equal(response.status, 404);
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/);
});

test('an interrupted request stores nothing', async () => {
  const before = await countArticles();
  await new Promise<void>((resolve, reject) => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1', () => {
      socket.write(
        `POST /api/v1/articles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.author.token}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"content":"# half',
      );
      setTimeout(() => {
        socket.destroy();
        resolve();
      }, 100);
    });
    socket.once('error', reject);
  });
  assert.equal(await countArticles(), before);
});
