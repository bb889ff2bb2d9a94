/**
 * Behaviour that only Forem has: conflicts with a post that may be ours, listings that are too
 * large, lost tags.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forem } from '../../../destinations/forem/index.ts';
import { makeArticle, openClient, startSandbox, startServer } from '../destination-harness.ts';
import { foremRow as row } from '../rows/forem.ts';

const other = { apiKey: 'other-forem-key' };
const foremAccounts = {
  [row.credentials.apiKey ?? '']: { username: 'demo', name: 'Demo' },
  [other.apiKey]: { username: 'other', name: 'Other' },
};

test('a canonical URL that another author published is rejected with a separate code', async (context) => {
  const sandbox = await startSandbox(context, { foremAccounts });
  const article = makeArticle();
  const { payload } = forem.format(article);
  assert.equal((await openClient(row, sandbox.url, { credentials: other }).create(payload)).kind, 'done');
  const outcome = await openClient(row, sandbox.url).create(payload);
  assert.ok(outcome.kind === 'rejected', JSON.stringify(outcome));
  assert.deepEqual([outcome.code, outcome.mayBeSaved], ['canonical_taken', true]);
  // Another author's post must not be adopted.
  assert.deepEqual(await openClient(row, sandbox.url).find(article), { kind: 'done', value: null });
});

test('a title used less than five minutes ago is rejected with a separate code', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url);
  await client.create(forem.format(makeArticle({ title: 'Same' })).payload);
  const outcome = await client.create(forem.format(makeArticle({ title: 'Same' })).payload);
  assert.ok(
    outcome.kind === 'rejected' && outcome.code === 'title_recently_used' && outcome.mayBeSaved,
    JSON.stringify(outcome),
  );
});

test('an update of another author’s article reports it as gone', async (context) => {
  const sandbox = await startSandbox(context, { foremAccounts });
  const { payload } = forem.format(makeArticle());
  const theirs = await openClient(row, sandbox.url, { credentials: other }).create(payload);
  assert.ok(theirs.kind === 'done');
  const outcome = await openClient(row, sandbox.url).update(theirs.value.remoteId, payload);
  assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_gone');
});

test('an update preserves the tags, because it sends them again', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url);
  const article = makeArticle({ tags: ['one', 'two'] });
  const post = await client.create(forem.format(article).payload);
  assert.ok(post.kind === 'done');
  await client.withdraw(post.value.remoteId);
  await client.update(post.value.remoteId, forem.format(article).payload);
  const shown = await (await fetch(`${sandbox.url}/forem/api/articles/${post.value.remoteId}`)).json();
  assert.deepEqual((shown as { tags: string[] }).tags, ['one', 'two']);
});

test('the base address may be the site or its API', async (context) => {
  const sandbox = await startSandbox(context);
  for (const path of ['/forem', '/forem/', '/forem/api', '/forem/api/']) {
    assert.equal((await openClient({ ...row, path }, sandbox.url).probe()).kind, 'done', path);
  }
});

test('a 403 in JSON is Forem’s own refusal, and a wrong address is reported as not found', async (context) => {
  const sandbox = await startSandbox(context);
  await sandbox.setFaults([{ platform: 'blogsite_a', action: 'create', times: 1, status: 403 }]);
  const forbidden = await openClient(row, sandbox.url).create(forem.format(makeArticle()).payload);
  assert.ok(forbidden.kind === 'rejected' && forbidden.code === 'forbidden');
  const lost = await openClient({ ...row, path: '/nowhere/api' }, sandbox.url).probe();
  assert.ok(lost.kind === 'rejected' && lost.code === 'not_found', JSON.stringify(lost));
});

test('a listing is read to its end, in smaller pages if one is too large', async (context) => {
  const requested: string[] = [];
  const total = 1130;
  const target = 1123;
  const origin = await startServer(context, (request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    const page = Number(url.searchParams.get('page'));
    const size = Number(url.searchParams.get('per_page'));
    requested.push(`${page}/${size}`);
    response.setHeader('content-type', 'application/json');
    // The first 1,100 entries are small, the others large.
    const first = (page - 1) * size;
    const entries = [];
    for (let index = first; index < Math.min(first + size, total); index += 1) {
      entries.push({
        id: index,
        url: `https://dev.to/demo/${index}`,
        canonical_url: `https://blog.example.com/${index}`,
        body_markdown: 'x'.repeat(index < 1100 ? 10 : 800 * 1024 * 2),
      });
    }
    response.end(JSON.stringify(entries));
  });
  const find = (index: number) =>
    openClient(row, origin).find({ canonicalUrl: `https://blog.example.com/${index}`, slug: 'x', title: 'x' });
  assert.deepEqual(await find(target), {
    kind: 'done',
    value: { remoteId: String(target), url: `https://dev.to/demo/${target}`, changedAt: null },
  });
  assert.deepEqual(requested, ['1/1000', '2/1000', '11/100', '12/100', '111/10', '112/10', '113/10']);
});

test('a temporary redirect is a foreign response', async (context) => {
  for (const status of [302, 303, 307]) {
    const origin = await startServer(context, (_request, response) =>
      response.writeHead(status, { location: '/login' }).end(),
    );
    assert.equal((await openClient(row, origin).create(forem.format(makeArticle()).payload)).kind, 'unknown');
    assert.equal((await openClient(row, origin).probe()).kind, 'unavailable');
  }
});

test('of a draft and a published article with one canonical URL, the published one is found', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url);
  const article = makeArticle();
  const post = await client.create(forem.format(article).payload);
  const body = JSON.stringify({ article: { title: 'Draft', canonical_url: article.canonicalUrl } });
  const headers = { 'content-type': 'application/json', 'api-key': row.credentials.apiKey ?? '' };
  assert.equal((await fetch(`${sandbox.url}/forem/api/articles`, { method: 'POST', headers, body })).status, 201);
  const found = await client.find(article);
  assert.ok(post.kind === 'done' && found.kind === 'done');
  // The owner's lists omit when an article was edited.
  assert.deepEqual(found.value, { ...post.value, changedAt: null });
});

test('a listed post of ours without an id counts as existing, and nothing is created', async (context) => {
  const article = makeArticle();
  const origin = await startServer(context, (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify([{ canonical_url: article.canonicalUrl, published: true }]));
  });
  const outcome = await openClient(row, origin).find(article);
  assert.ok(outcome.kind === 'unavailable' && /without a usable id/.test(outcome.reason), JSON.stringify(outcome));
});

test('an article with a response of more than one mebibyte is created, read, updated and withdrawn', async (context) => {
  const sandbox = await startSandbox(context);
  const client = openClient(row, sandbox.url);
  const { payload } = forem.format(makeArticle({ body: `${'words '.repeat(130_000)}\n` }));
  const post = await client.create(payload);
  assert.ok(post.kind === 'done', JSON.stringify(post));
  const { remoteId, changedAt } = post.value;
  assert.equal((await client.update(remoteId, payload, changedAt)).kind, 'done');
  const longAgo = await client.update(remoteId, payload, '2020-01-01T00:00:00.000Z');
  assert.equal(longAgo.kind, 'drifted');
  assert.equal((await client.withdraw(remoteId)).kind, 'done');
});

for (const cap of [30, 7]) {
  test(`an instance that limits pages to ${cap} articles is searched completely`, async (context) => {
    const total = 95;
    const origin = await startServer(context, (request, response) => {
      const url = new URL(request.url ?? '', 'http://x');
      const size = Math.min(cap, Number(url.searchParams.get('per_page')));
      const first = (Number(url.searchParams.get('page')) - 1) * size;
      const indexes = Array.from({ length: Math.max(0, Math.min(size, total - first)) }, (_, index) => first + index);
      const entries = indexes.map((index) => ({
        id: index,
        url: `https://dev.to/demo/${index}`,
        canonical_url: `https://blog.example.com/${index}`,
      }));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(entries));
    });
    const find = (index: number) =>
      openClient(row, origin).find({ canonicalUrl: `https://blog.example.com/${index}`, slug: 'x', title: 'x' });
    const found = await find(91);
    assert.ok(found.kind === 'done' && found.value?.remoteId === '91', JSON.stringify(found));
    assert.deepEqual(await find(total), { kind: 'done', value: null });
  });
}

test('an article is found behind drafts of other articles with its canonical URL, which are listed first', async (context) => {
  const canonical_url = 'https://blog.example.com/one-original';
  const listed = [1, 2, 3].map((id) => ({ id, url: `https://dev.to/demo/${id}`, canonical_url, published: id === 3 }));
  const origin = await startServer(context, (request, response) => {
    const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page'));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(listed.slice(page - 1, page)));
  });
  const find = (...others: string[]) =>
    openClient(row, origin).find({ canonicalUrl: canonical_url, slug: 'x', title: 'x', excludedIds: new Set(others) });
  const [second, third] = [await find('1', '3'), await find('1', '2')];
  assert.ok(second.kind === 'done' && second.value?.remoteId === '2', JSON.stringify(second));
  assert.ok(third.kind === 'done' && third.value?.remoteId === '3', JSON.stringify(third));
  assert.deepEqual(await find('1', '2', '3'), { kind: 'done', value: null });
});
