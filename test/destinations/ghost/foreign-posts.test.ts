/**
 * Posts on a Ghost site that belong to no article are not adopted, changed or withdrawn, as far as
 * Ghost shows it.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ghost } from '../../../destinations/ghost/index.ts';
import { readAdminKey, signToken } from '../../../destinations/ghost/token.ts';
import { DEMO_GHOST_KEY } from '../../../sandbox/app.ts';
import { expectDone, makeArticle, openClient, startSandbox, startServer } from '../destination-harness.ts';
import { ghostRow as row } from '../rows/ghost.ts';

type Fields = Record<string, unknown>;

async function start(context: TestContext) {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url);
  const request = async (method: string, path: string, post?: Fields): Promise<Fields> => {
    const key = readAdminKey(DEMO_GHOST_KEY);
    assert.ok(key);
    const headers = { authorization: `Ghost ${await signToken(key, new Date())}`, 'content-type': 'application/json' };
    const body = post ? { body: JSON.stringify({ posts: [post] }) } : {};
    const answer = await fetch(`${sandbox.url}/ghost-site/ghost/api/admin${path}`, { method, headers, ...body });
    assert.ok(answer.ok, await answer.clone().text());
    return ((await answer.json()) as { posts: Fields[] }).posts[0] ?? {};
  };
  const writeByHand = async (post: Fields) =>
    String((await request('POST', '/posts/?source=html', { title: 'By hand', html: '<p>By hand.</p>', ...post })).id);
  return { sandbox, client, request, writeByHand };
}

const buildPayload = (article = makeArticle()) => ghost.format(article).payload;

test('a post without a canonical URL and with another slug was written by hand, and is neither changed nor withdrawn', async (context) => {
  const { sandbox, client, request, writeByHand } = await start(context);
  const id = await writeByHand({ slug: 'their-own', status: 'published' });
  const [before, log] = [await request('GET', `/posts/${id}/`), await sandbox.log()];
  const article = makeArticle();
  for (const outcome of [await client.update(id, buildPayload(article)), await client.withdraw(id, article)]) {
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_not_ours', JSON.stringify(outcome));
  }
  assert.deepEqual(await request('GET', `/posts/${id}/`), before);
  assert.deepEqual(await sandbox.log(), log);
});

test('our own post is still changed if its canonical URL was removed by hand or has changed since', async (context) => {
  const { client, request } = await start(context);
  const article = makeArticle();
  const { remoteId } = expectDone(await client.create(buildPayload(article)));
  const { updated_at } = await request('GET', `/posts/${remoteId}/`);
  await request('PUT', `/posts/${remoteId}/`, { canonical_url: null, updated_at });
  expectDone(await client.update(remoteId, buildPayload(article)));
  const moved = { ...article, slug: 'moved', canonicalUrl: 'https://blog.example.com/moved' };
  expectDone(await client.update(remoteId, buildPayload(moved)));
  expectDone(await client.withdraw(remoteId, moved));
});

test('a post written by hand with our slug or our title is not adopted', async (context) => {
  const { client, writeByHand } = await start(context);
  const article = makeArticle();
  await writeByHand({ slug: article.slug, title: article.title, status: 'published' });
  assert.equal(expectDone(await client.find(article)), null);
});

test('two articles with one canonical URL each find their own post', async (context) => {
  const { client } = await start(context);
  const first = makeArticle();
  const second = { ...first, slug: 'the-second' };
  const one = expectDone(await client.create(buildPayload(first)));
  // The only post is the first article's, as recorded in the ledger.
  assert.equal(expectDone(await client.find({ ...second, excludedIds: new Set([one.remoteId]) })), null);
  const two = expectDone(await client.create(buildPayload(second)));
  assert.equal(expectDone(await client.find(first))?.remoteId, one.remoteId);
  assert.equal(expectDone(await client.find(second))?.remoteId, two.remoteId);
  expectDone(await client.withdraw(one.remoteId));
  assert.equal(
    expectDone(await client.find(first))?.remoteId,
    one.remoteId,
    'its draft rather than the other’s public post',
  );
  assert.equal(
    expectDone(await client.find({ ...first, excludedIds: new Set([one.remoteId]) }))?.remoteId,
    two.remoteId,
  );
});

test('a post that was only sent as an e-mail is not adopted: it has no page', async (context) => {
  const { canonicalUrl, slug, title } = makeArticle();
  const sent = {
    id: '1'.repeat(24),
    url: 'https://a.io/email/1/',
    slug,
    status: 'sent',
    canonical_url: canonicalUrl,
    updated_at: '2026-01-01T00:00:00.000Z',
  };
  const origin = await startServer(context, (_request, response) => response.end(JSON.stringify({ posts: [sent] })));
  assert.equal(expectDone(await openClient(row, origin).find({ canonicalUrl, slug, title })), null);
});
