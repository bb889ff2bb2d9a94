/**
 * A WordPress account is one site, in every spelling of its address, and one user, under any name.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { wordpress } from '../../../destinations/wordpress/index.ts';
import { expectDone, openClient, startServer } from '../destination-harness.ts';
import { wordpressRow as row } from '../rows/wordpress.ts';

interface Site {
  home?: string;
  user?: object;
}

async function probe(context: TestContext, { home, user }: Site, path = '/wp-json') {
  const origin = await startServer(context, (request, response) => {
    const isUser = decodeURIComponent(request.url ?? '').includes('/wp/v2/users/me');
    const me = {
      id: 7,
      slug: 'ann',
      name: 'Ann Lee',
      capabilities: { publish_posts: true, edit_published_posts: true },
      ...user,
    };
    response.end(JSON.stringify(isUser ? me : { namespaces: ['wp/v2'], ...(home === undefined ? {} : { home }) }));
  });
  return { origin, found: expectDone(await openClient(row, origin, { path }).probe()) };
}

test('one site is one account, in every spelling of its address and every form of its permalinks (F27)', async (context) => {
  for (const home of [
    'https://blog.example.com/site',
    'http://blog.example.com/site',
    'https://Blog.Example.com/site/',
    'https://blog.example.com:443/site',
    'http://blog.example.com:443/site//',
  ]) {
    for (const path of ['/wp-json', '/?rest_route=/']) {
      assert.equal((await probe(context, { home }, path)).found.account, 'blog.example.com/site 7', home);
    }
  }
});

test('a user with a changed name, login or author page is the same account (F27)', async (context) => {
  const home = 'https://blog.example.com';
  const before = await probe(context, { home });
  const after = await probe(context, { home, user: { slug: 'ann-oz', name: 'Ann Oz' } });
  assert.equal(after.found.account, before.found.account);
  assert.deepEqual(
    [before.found.name, after.found.name],
    ['Ann Lee at blog.example.com', 'Ann Oz at blog.example.com'],
  );
});

test('another user, another site and another path on one host are other accounts (F27)', async (context) => {
  const accounts = [
    await probe(context, { home: 'https://blog.example.com' }),
    await probe(context, { home: 'https://blog.example.com', user: { id: 8 } }),
    await probe(context, { home: 'https://blog.example.com/other' }),
    await probe(context, { home: 'https://blog.example.com:8080' }),
    await probe(context, { home: 'https://www.example.com' }),
  ].map(({ found }) => found.account);
  assert.equal(new Set(accounts).size, accounts.length, String(accounts));
});

test('a site without an address in its index is identified by the address of its API', async (context) => {
  for (const path of ['/sub/wp-json', '/sub/?rest_route=/', '/sub/index.php?rest_route=/']) {
    const { origin, found } = await probe(context, {}, path);
    assert.equal(found.account, `${new URL(origin).host}/sub 7`, path);
  }
});

test('every spelling of an address has the same normal form', () => {
  for (const [address, expected] of [
    [' https://Blog.Example.com', 'https://blog.example.com'],
    ['https://blog.example.com:443/site//', 'https://blog.example.com/site'],
    ['https://blog.example.com/site/wp-admin/post.php?post=1#x', 'https://blog.example.com/site'],
    ['https://blog.example.com/site/wp-login.php', 'https://blog.example.com/site'],
    ['https://blog.example.com/site/wp-json/', 'https://blog.example.com/site/wp-json'],
    ['https://blog.example.com/site/index.php?rest_route=/', 'https://blog.example.com/site/?rest_route=/'],
  ] as const) {
    assert.equal(wordpress.normalizeBaseUrl(address), expected);
    assert.equal(wordpress.normalizeBaseUrl(expected), expected);
  }
});
