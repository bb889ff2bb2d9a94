/** A Ghost account is its site, in every spelling of the address. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ghost } from '../../../destinations/ghost/index.ts';
import { expectDone, openClient, startSandbox, startServer } from '../destination-harness.ts';
import { ghostRow as row } from '../rows/ghost.ts';

const UUID = '4f6c3c7e-91d1-4f0a-8f5e-6a52a8f0b6d1';

async function probe(context: TestContext, site: object) {
  const origin = await startServer(context, (request, response) => {
    response.end(JSON.stringify(request.url?.endsWith('/site/') ? { site } : { posts: [] }));
  });
  return expectDone(await openClient(row, origin).probe());
}

test('one site is one account, in every spelling of its address (F27)', async (context) => {
  for (const url of [
    'https://blog.example.com/site/',
    'http://blog.example.com/site',
    'https://BLOG.example.com:443/site//',
  ]) {
    assert.equal((await probe(context, { url })).account, 'blog.example.com/site', url);
  }
  assert.equal((await probe(context, { url: 'https://blog.example.com/other/' })).account, 'blog.example.com/other');
});

test('a site’s id identifies it under another domain, and its former address is still recognised', async (context) => {
  const before = await probe(context, { url: 'https://blog.example.com/', title: 'Notes', site_uuid: UUID });
  const after = await probe(context, {
    url: 'https://notes.example.com/',
    title: 'Notes',
    site_uuid: UUID.toUpperCase(),
  });
  assert.equal(after.account, before.account);
  assert.deepEqual(before, { account: UUID, name: 'Notes at blog.example.com', formerAccount: 'blog.example.com' });
  for (const site_uuid of ['', 'x', 7, null]) {
    assert.equal((await probe(context, { url: 'https://blog.example.com/', site_uuid })).account, 'blog.example.com');
  }
});

test('the site, its admin area and its API are one address and one account (F27)', async (context) => {
  const { url } = await startSandbox(context);
  const site = `${url}/ghost-site`;
  const upper = site.replace('http://127.0.0.1', 'HTTP://127.0.0.1');
  for (const address of [site, `${upper}/`, `${site}/ghost`, `${site}/ghost/#/settings`, `${site}/ghost/api/admin/`]) {
    assert.equal(ghost.normalizeBaseUrl(address), site);
    const path = address.slice(url.length);
    assert.equal(expectDone(await openClient(row, url, { path }).probe()).account, row.account, address);
  }
  assert.equal(ghost.normalizeBaseUrl('https://Blog.Example.com:443/ghost/?x=1'), 'https://blog.example.com');
});
