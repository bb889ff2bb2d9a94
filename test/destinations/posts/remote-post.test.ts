/**
 * A platform's description of a post is stored, and people click on its address. Only valid values
 * are accepted.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  readAccount,
  readRemoteId,
  readRemotePost,
  readSiteName,
  readTime,
} from '../../../destinations/posts/remote-post.ts';
import { makeArticle, openClient, prepareArticleInSandbox, startServer } from '../destination-harness.ts';
import { foremRow } from '../rows/forem.ts';
import { hashnodeRow } from '../rows/hashnode.ts';
import { mediumRow } from '../rows/medium.ts';
import { wordpressRow } from '../rows/wordpress.ts';

test('a valid post is accepted unchanged', () => {
  const post = { remoteId: '12', url: 'https://dev.to/ann/a-1', changedAt: '2026-11-21T04:54:25.000Z' };
  assert.deepEqual(readRemotePost(12, post.url, post.changedAt), post);
  assert.deepEqual(readRemotePost('12', post.url, post.changedAt), post);
});

test('an address that runs script, embeds data or cannot be stored is refused (A8, A23)', () => {
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    '/a',
    '',
    7,
    null,
    `https://a.example/${'a'.repeat(3000)}`,
  ]) {
    assert.equal(readRemotePost(1, url, null), null, String(url).slice(0, 40));
  }
  assert.equal(readRemotePost(1, 'https://a.example/\u0000\u001b[31m', null)?.url, 'https://a.example/%00%1B[31m');
});

test('an id that is missing or cannot be stored is refused', () => {
  for (const id of ['', 'a\u0000b', 'a b', 'ä', 'a'.repeat(201), 1.5, 2 ** 60, Number.NaN, {}, null, undefined]) {
    assert.equal(readRemotePost(id, 'https://a.example/', null), null, String(id).slice(0, 40));
  }
});

test('an id has up to 200 visible characters, an address up to 2,048', () => {
  for (const id of ['!', '~'.repeat(200)]) assert.equal(readRemoteId(id), id);
  assert.equal(readRemoteId(Number.MAX_SAFE_INTEGER), '9007199254740991');
  const address = (length: number) => `https://a.example/${'a'.repeat(length - 18)}`;
  assert.equal(readRemotePost(1, address(2_048), null)?.url, address(2_048));
  assert.equal(readRemotePost(1, address(2_049), null), null);
});

test('a site is named by its host and path, in at most 300 characters', () => {
  for (const [address, name] of [
    ['https://A.example/', 'a.example'],
    ['http://a.example:443/x//', 'a.example/x'],
    ['https://a.example:80', 'a.example'],
    ['https://a.example:8080/x', 'a.example:8080/x'],
    ['https://a.example:4430/80', 'a.example:4430/80'],
    [`https://a.example/${'x'.repeat(400)}`, `a.example/${'x'.repeat(290)}`],
  ] as const) {
    assert.equal(readSiteName(address), name);
  }
  for (const nothing of ['a.example', '', null, 7, ['https://a.example']]) assert.equal(readSiteName(nothing), null);
});

test('times outside of four-digit years are ignored', () => {
  for (const time of ['+275760-09-13T00:00:00Z', '-200000-01-01T00:00:00Z', '0000-01-01T00:00:00Z', 'soon', '', 7]) {
    assert.equal(readTime(time), null, String(time));
  }
  assert.equal(readTime('9999-12-31T23:59:59.999Z'), '9999-12-31T23:59:59.999Z');
  for (const time of ['+010000-01-01T00:00:00Z', '1970-01-01T00:00:00Z']) assert.equal(readTime(time), null);
  assert.equal(readTime('nonsense', '2026-11-21T04:54:25Z'), '2026-11-21T04:54:25.000Z');
});

test('the name of an account is one plain line', () => {
  assert.equal(readAccount('ann\u0000\u001b[31m lee'), 'ann lee');
  assert.equal(readAccount('a'.repeat(500))?.length, 100);
  for (const name of ['', '\u0000', 7, null, undefined]) assert.equal(readAccount(name), null);
});

test('a create is unknown if its response names a post without a usable address: the post may exist', async (context) => {
  const answers = [
    [foremRow, { id: 1, url: 'javascript:alert(1)' }],
    [mediumRow, { data: { id: 'a\u0000b', url: 'https://medium.com/p/1' } }],
  ] as const;
  for (const [row, answer] of answers) {
    const origin = await startServer(context, (_request, response) =>
      response.writeHead(201).end(JSON.stringify(answer)),
    );
    const { payload } = await prepareArticleInSandbox(context, row);
    assert.equal((await openClient(row, origin).create(payload)).kind, 'unknown', row.key);
  }
});

test('a look-up that finds our post without a usable address does not report it as absent', async (context) => {
  const article = makeArticle();
  const { canonicalUrl } = article;
  const written = wordpressRow.destination.format(article).payload as { post: { content: string } };
  const { publicationId } = hashnodeRow.credentials;
  const answers = [
    [foremRow, [{ id: 1, url: 'javascript:alert(1)', canonical_url: canonicalUrl, published: true }]],
    [
      hashnodeRow,
      { data: { publication: { id: publicationId, post: { id: 'x', url: 'javascript:alert(1)', canonicalUrl } } } },
    ],
    [wordpressRow, [{ id: 1, link: 'javascript:alert(1)', status: 'publish', content: { raw: written.post.content } }]],
  ] as const;
  for (const [row, answer] of answers) {
    const origin = await startServer(context, (_request, response) => response.end(JSON.stringify(answer)));
    assert.equal((await openClient(row, origin).find(article)).kind, 'unavailable', row.key);
  }
});
