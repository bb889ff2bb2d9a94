/**
 * Behaviour that only Hashnode has: errors in HTTP 200, plans, a request limit, a cache for reads.
 */
import assert from 'node:assert/strict';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { hashnode } from '../../../destinations/hashnode/index.ts';
import { FREE_HASHNODE_PUBLICATION, FREE_HASHNODE_TOKEN, OTHER_HASHNODE_PUBLICATION } from '../../../sandbox/app.ts';
import { makeArticle, openClient, startSandbox, startServer } from '../destination-harness.ts';
import { hashnodeRow as row } from '../rows/hashnode.ts';

const buildPayload = (changes = {}) => hashnode.format(makeArticle(changes)).payload;

test('a publication without the Pro plan is rejected with a message that advises to upgrade', async (context) => {
  const sandbox = await startSandbox(context);
  const credentials = { token: FREE_HASHNODE_TOKEN, publicationId: FREE_HASHNODE_PUBLICATION };
  const client = openClient(row, sandbox.url, { credentials });
  for (const outcome of [await client.probe(), await client.create(buildPayload()), await client.find(makeArticle())]) {
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'plan_required', JSON.stringify(outcome));
    assert.match(outcome.reason, /Pro plan.*Upgrade/);
  }
});

test('a publication that is somebody else’s, unknown, or misspelled is rejected', async (context) => {
  const sandbox = await startSandbox(context);
  const open = (publicationId: string) =>
    openClient(row, sandbox.url, { credentials: { ...row.credentials, publicationId } });
  const foreign = await open(FREE_HASHNODE_PUBLICATION).create(buildPayload());
  assert.ok(foreign.kind === 'rejected' && foreign.code === 'forbidden', JSON.stringify(foreign));
  const unknown = await open('0'.repeat(24)).probe();
  assert.ok(unknown.kind === 'rejected' && unknown.code === 'publication_not_found', JSON.stringify(unknown));
  const misspelled = await open('my-blog').create(buildPayload());
  assert.ok(misspelled.kind === 'rejected' && misspelled.code === 'invalid', JSON.stringify(misspelled));
});

test('errors are read from the response body, for any HTTP status', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url);
  const cases = [
    ['UNAUTHENTICATED', 'unauthorised', undefined],
    ['FORBIDDEN', 'rejected', 'forbidden'],
    ['BAD_USER_INPUT', 'rejected', 'invalid'],
    ['GRAPHQL_VALIDATION_FAILED', 'rejected', 'protocol_mismatch'],
    ['INTERNAL_SERVER_ERROR', 'unknown', undefined],
    ['SOMETHING_NEW', 'unknown', undefined],
  ] as const;
  for (const [code, kind, expected] of cases) {
    for (const status of [200, 400]) {
      const body = { errors: [{ message: 'No.', extensions: { code } }], data: null };
      await sandbox.setFaults([{ platform: 'blogsite_b', action: 'create', times: 1, status, body }]);
      const outcome = await client.create(buildPayload());
      assert.equal(outcome.kind, kind, code);
      if (outcome.kind === 'rejected') assert.equal(outcome.code, expected);
    }
  }
});

test('a request over 100 KB is not sent', async (context) => {
  let called = 0;
  const origin = await startServer(context, (_request, response) => {
    called += 1;
    response.end('{}');
  });
  const payload = { ...buildPayload(), contentMarkdown: 'a'.repeat(100_001) };
  const outcome = await openClient(row, origin).create(payload);
  assert.ok(outcome.kind === 'rejected' && outcome.code === 'body_too_large');
  assert.equal(called, 0);
});

test('the largest article that formatting allows is accepted', async (context) => {
  const sandbox = await startSandbox(context);
  let size = 100_000;
  while (hashnode.format(makeArticle({ body: 'a'.repeat(size) })).refusal) size -= 50;
  const client = openClient(row, sandbox.url);
  const payload = buildPayload({ body: 'a'.repeat(size) });
  const post = await client.create(payload);
  assert.ok(post.kind === 'done', JSON.stringify(post));
  assert.equal((await client.update(post.value.remoteId, payload)).kind, 'done');
});

test('413 from a proxy in front is a permanent refusal, even as HTML', async (context) => {
  const origin = await startServer(context, (_request, response) => response.writeHead(413).end('<h1>413</h1>'));
  const outcome = await openClient(row, origin).create(buildPayload());
  assert.ok(outcome.kind === 'rejected' && outcome.code === 'body_too_large');
});

test('every kind of redirect means that the endpoint has moved', async (context) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const origin = await startServer(context, (_request, response) =>
      response.writeHead(status, { location: '/announcements' }).end(),
    );
    const outcome = await openClient(row, origin).create(buildPayload());
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'endpoint_moved');
  }
});

test('an update clears fields that the author removed', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url);
  const article = makeArticle({ subtitle: 'Sub', tags: ['a'] });
  const post = await client.create(hashnode.format(article).payload);
  assert.ok(post.kind === 'done');
  const changed = hashnode.format({ ...article, subtitle: null, coverImage: null, tags: [] }).payload;
  assert.equal((await client.update(post.value.remoteId, changed)).kind, 'done');
  const query = `{ post(id: "${post.value.remoteId}") { subtitle coverImage { url } tags { slug } slug } }`;
  const answer = await fetch(`${sandbox.url}/hashnode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  assert.deepEqual(await answer.json(), {
    data: { post: { subtitle: null, coverImage: null, tags: [], slug: article.slug } },
  });
});

test('a post with a slug changed by hand is found by its canonical URL, also on a later page', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url);
  const article = makeArticle();
  const post = await client.create(hashnode.format(article).payload);
  assert.ok(post.kind === 'done');
  for (let index = 0; index < 120; index += 1) await client.create(buildPayload());
  assert.deepEqual(await client.find({ ...article, slug: 'changed' }), post);
});

test('a post with our slug and another canonical URL is its author’s own', async (context) => {
  const canonicalUrl = 'https://blog.example.com/another';
  const node = { id: '1', url: 'https://blog.example.com/ours', canonicalUrl };
  const posts = { edges: [{ node }], pageInfo: { hasNextPage: false } };
  const publication = { id: row.credentials.publicationId, post: node, posts };
  const origin = await startServer(context, (_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: { publication } }));
  });
  const find = (url: string) => openClient(row, origin).find({ canonicalUrl: url, slug: 'ours', title: 'x' });
  assert.deepEqual(await find('https://blog.example.com/ours'), { kind: 'done', value: null });
  const found = await find(canonicalUrl);
  assert.ok(found.kind === 'done' && found.value?.remoteId === '1', JSON.stringify(found));
});

test('a publication is searched to its end, and an incomplete search does not prove that the post is missing', async (context) => {
  const canonicalUrl = 'https://blog.example.com/long-ago';
  const total = 1_750;
  let isCut = false;
  const origin = await startServer(context, async (request, response) => {
    const { variables } = (await json(request)) as { variables: { first?: number; after?: string | null } };
    const { first = 0, after = null } = variables;
    const end = Number(after ?? 0) + first;
    const edges = Array.from({ length: first }, (_, index) => Number(after ?? 0) + index)
      .filter((index) => index < total)
      .map((index) => ({
        node: {
          id: String(index),
          url: `https://blog.example.com/${index}`,
          canonicalUrl: index === total - 1 ? canonicalUrl : null,
        },
      }));
    const pageInfo = { hasNextPage: end < total, endCursor: isCut ? null : String(end) };
    const publication = { id: row.credentials.publicationId, post: null, posts: { edges, pageInfo } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data: { publication } }));
  });
  const find = (url: string) => openClient(row, origin).find({ canonicalUrl: url, slug: 'changed', title: 'x' });
  const found = await find(canonicalUrl);
  assert.ok(found.kind === 'done' && found.value?.remoteId === String(total - 1), JSON.stringify(found));
  assert.deepEqual(await find('https://blog.example.com/never'), { kind: 'done', value: null });
  isCut = true;
  assert.equal((await find(canonicalUrl)).kind, 'unavailable');
});

test('a look-up may miss the post until the cache expires, but not afterwards', async (context) => {
  let now = Date.parse('2026-11-21T12:00:00Z');
  const sandbox = await startSandbox(context, { hashnodeReadLagMs: 25_000, now: () => new Date(now) });
  const client = openClient(row, sandbox.url);
  const article = makeArticle();
  assert.deepEqual(await client.find(article), { kind: 'done', value: null });
  await client.create(hashnode.format(article).payload);
  assert.deepEqual(await client.find(article), { kind: 'done', value: null });
  now += hashnode.limits.readLagMs;
  const found = await client.find(article);
  assert.ok(found.kind === 'done' && found.value !== null);
});

test('an older time proves nothing until the cache expires; afterwards a change by hand is detected', async (context) => {
  let now = Date.parse('2026-11-21T12:00:00Z');
  const sandbox = await startSandbox(context, { hashnodeReadLagMs: 25_000, now: () => new Date(now) });
  const client = openClient(row, sandbox.url);
  const payload = buildPayload();
  const post = await client.create(payload);
  assert.ok(post.kind === 'done');
  const { remoteId, changedAt } = post.value;
  const first = await client.update(remoteId, payload, changedAt);
  assert.ok(first.kind === 'done');
  now += 10_000;
  await row.editByHand?.(sandbox.url, remoteId, 'Changed by hand');
  const unseen = await client.update(remoteId, payload, first.value.changedAt);
  assert.ok(unseen.kind === 'done', JSON.stringify(unseen));
  now += 10_000;
  await row.editByHand?.(sandbox.url, remoteId, 'Changed by hand again');
  now += 25_000;
  assert.equal((await client.update(remoteId, payload, unseen.value.changedAt)).kind, 'drifted');
});

test('an error in a field of the created post leaves the outcome unknown; an error of publishing itself is a refusal', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url);
  for (const [path, kind] of [
    [['publishPost', 'post', 'url'], 'unknown'],
    [['publishPost', 'post'], 'unknown'],
    [['publishPost'], 'rejected'],
  ] as const) {
    const body = { errors: [{ message: 'No.', path, extensions: { code: 'FORBIDDEN' } }], data: null };
    await sandbox.setFaults([{ platform: 'blogsite_b', action: 'create', times: 1, status: 200, body }]);
    assert.equal((await client.create(buildPayload())).kind, kind, path.join('.'));
  }
});

test('a post of another publication of the same user is neither found nor changed nor delisted', async (context) => {
  const sandbox = await startSandbox(context);
  const article = makeArticle();
  const { payload } = hashnode.format(article);
  const post = await openClient(row, sandbox.url).create(payload);
  assert.ok(post.kind === 'done');
  const { remoteId, url, changedAt } = post.value;
  const credentials = { ...row.credentials, publicationId: OTHER_HASHNODE_PUBLICATION };
  const other = openClient(row, sandbox.url, { credentials });
  assert.deepEqual(await other.find(article), { kind: 'done', value: null });
  for (const outcome of [
    await other.update(remoteId, payload),
    await other.update(remoteId, payload, changedAt),
    await other.withdraw(remoteId),
  ]) {
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_not_ours', JSON.stringify(outcome));
    assert.ok(outcome.reason.includes(url), outcome.reason);
  }
  assert.equal((await sandbox.log()).length, 1);
});

test('a response about another publication is rejected', async (context) => {
  const origin = await startServer(context, (_request, response) => {
    const post = { id: 'a', url: 'https://blog.example.com/a', canonicalUrl: 'https://blog.example.com/original' };
    const posts = { edges: [{ node: post }], pageInfo: { hasNextPage: false } };
    const publication = { id: OTHER_HASHNODE_PUBLICATION, title: 'Other', post, posts };
    const data = { me: { id: 'u', username: 'demo' }, publication, post: { ...post, publication } };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data }));
  });
  const client = openClient(row, origin);
  const article = makeArticle({ slug: 'a', canonicalUrl: 'https://blog.example.com/original' });
  for (const outcome of [await client.find(article), await client.probe()]) {
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'publication_not_found', JSON.stringify(outcome));
  }
});
