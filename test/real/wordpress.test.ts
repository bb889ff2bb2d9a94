/**
 * The WordPress destination against a real site: accounts and posts. Restores the site afterwards.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startCuttingProxy } from './cutting-proxy.ts';
import { done, pageText, publish, ready } from './wordpress-posts.ts';
import {
  apiUrl,
  credentials,
  listPosts,
  makeSiteArticle,
  makeUser,
  openWordPress,
  requestWordPress,
  siteUrl,
  skip,
} from './wordpress-site.ts';

test('the site is found by its address, and is the same account in either form', { skip }, async () => {
  const found = done(await openWordPress(siteUrl).probe());
  assert.ok(found.baseUrl);
  for (const address of [found.baseUrl, apiUrl, `${siteUrl}/?rest_route=/`, `${siteUrl}/wp-admin/`]) {
    assert.equal(done(await openWordPress(address).probe()).account, found.account, address);
  }
  const wrong = { ...credentials, applicationPassword: 'abcd efgh ijkl mnop' };
  assert.equal((await openWordPress(siteUrl, wrong).probe()).kind, 'unauthorised');
  assert.equal(
    (await openWordPress(siteUrl, { ...credentials, username: 'nobody-here' }).probe()).kind,
    'unauthorised',
  );
});

test('an account without permission to publish is rejected before anything is sent', { skip }, async (context) => {
  const contributor = await makeUser(context, 'contributor');
  const client = openWordPress(apiUrl, contributor);
  const probed = await client.probe();
  assert.ok(probed.kind === 'rejected' && probed.code === 'cannot_publish', JSON.stringify(probed));
  const article = makeSiteArticle(context);
  const refused = await client.create(await ready(client, article));
  assert.ok(refused.kind === 'rejected' && refused.code === 'cannot_publish' && !refused.mayBeSaved);
  assert.deepEqual(await listPosts(article), []);
});

test('an update changes the post and keeps external changes', {
  skip,
}, async (context) => {
  const client = openWordPress();
  const article = makeSiteArticle(context);
  const post = await publish(client, article);
  const better = await ready(client, { ...article, title: 'A better title', body: 'Better.\n', tags: [] });
  const updated = done(await client.update(post.remoteId, better, post.changedAt));
  assert.equal(updated.url, post.url);
  assert.match(await pageText(post.url), /A better title[\s\S]*<p>Better\.<\/p>/);
  // An edit within seconds of our own write cannot be distinguished from a plugin that completes
  // it.
  await setTimeout(6100);
  await requestWordPress('POST', `/posts/${post.remoteId}`, {}, { title: 'By hand' });
  const known = done(await client.find(article))?.changedAt;
  const drifted = await client.update(post.remoteId, better, updated.changedAt);
  assert.ok(drifted.kind === 'drifted' && drifted.changedAt === known, JSON.stringify(drifted));
  assert.match(await pageText(post.url), /By hand/);
  done(await client.update(post.remoteId, better, drifted.changedAt));
  assert.match(await pageText(post.url), /A better title/);
});

test('a withdrawn post is absent for readers, is found, and returns at its address', { skip }, async (context) => {
  const client = openWordPress();
  const article = makeSiteArticle(context);
  const post = await publish(client, article);
  done(await client.withdraw(post.remoteId));
  assert.equal((await fetch(post.url)).status, 404);
  assert.equal(done(await client.find(article))?.remoteId, post.remoteId);
  const back = done(await client.update(post.remoteId, await ready(client, article), post.changedAt));
  assert.equal(back.url, post.url);
  await pageText(post.url);
});

test('posts of other authors are neither found nor changed, although an administrator could', {
  skip,
}, async (context) => {
  const author = openWordPress(apiUrl, await makeUser(context, 'author'));
  const administrator = openWordPress();
  const article = makeSiteArticle(context);
  const theirs = await publish(author, article);
  assert.equal(done(await administrator.find(article)), null);
  const other = await ready(administrator, makeSiteArticle(context));
  for (const outcome of [
    await administrator.update(theirs.remoteId, other),
    await administrator.withdraw(theirs.remoteId),
  ]) {
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_not_ours', JSON.stringify(outcome));
  }
  const ours = await publish(administrator, article);
  assert.equal(done(await administrator.find(article))?.remoteId, ours.remoteId);
  assert.equal(done(await author.find(article))?.remoteId, theirs.remoteId);
  // With an author account the site itself rejects it.
  assert.equal((await author.withdraw(ours.remoteId)).kind, 'rejected');
  assert.equal((await requestWordPress<{ status: string }>('GET', `/posts/${ours.remoteId}`))?.status, 'publish');
});

test('a post is found by the address in it, whatever characters the site has rewritten, and is updated', {
  skip,
}, async (context) => {
  // The site keeps the meaning of an author's HTML, not its spelling.
  for (const as of [credentials, await makeUser(context, 'author')]) {
    const client = openWordPress(apiUrl, as);
    const canonicalUrl = `https://blog.example.com/it's-${Date.now()}/?b=[2]&c="3"`;
    const article = makeSiteArticle(context, { canonicalUrl });
    const post = await publish(client, article);
    const found = done(await client.find({ ...article, slug: 'another' }));
    assert.equal(found?.remoteId, post.remoteId, as.username);
    const better = await ready(client, { ...article, title: `${article.title}, better` });
    assert.equal(done(await client.update(post.remoteId, better, found.changedAt)).remoteId, post.remoteId);
  }
});

test('a post in the trash is absent and is not restored', { skip }, async (context) => {
  const client = openWordPress();
  const article = makeSiteArticle(context);
  const post = await publish(client, article);
  await requestWordPress('DELETE', `/posts/${post.remoteId}`);
  assert.equal(done(await client.find(article)), null);
  for (const outcome of [
    await client.update(post.remoteId, await ready(client, article), post.changedAt),
    await client.withdraw(post.remoteId),
    await client.update('999999999', await ready(client, article)),
  ]) {
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_gone', JSON.stringify(outcome));
  }
  assert.equal((await requestWordPress<{ status: string }>('GET', `/posts/${post.remoteId}`))?.status, 'trash');
});

test('a create whose response is lost is unknown, is found, and stays one post', { skip }, async (context) => {
  const proxy = await startCuttingProxy(context, siteUrl);
  const client = openWordPress(`${proxy.origin}/wp-json`);
  const article = makeSiteArticle(context, { canonicalUrl: `https://blog.example.com/a?courant=${Date.now()}&b=[2]` });
  const payload = await ready(client, article);
  proxy.cutNext((method, path) => method === 'POST' && path.startsWith('/wp-json/wp/v2/posts'));
  assert.equal((await client.create(payload)).kind, 'unknown');
  const spelled = { ...article, slug: 'another', canonicalUrl: `${article.canonicalUrl}&utm_source=feed#top` };
  const found = done(await client.find(article));
  assert.ok(found);
  assert.deepEqual(done(await client.find(spelled)), found);
  assert.equal(done(await client.find({ ...article, canonicalUrl: `${article.canonicalUrl}0` })), null);
  const updated = done(await client.update(found.remoteId, payload, found.changedAt));
  assert.equal(updated.remoteId, found.remoteId);
  const all = await requestWordPress<object[]>('GET', '/posts', {
    search: article.slug,
    status: 'any',
    context: 'edit',
  });
  const listed = await requestWordPress<object[]>('GET', '/posts', {
    slug: `${article.slug},${article.slug}-2`,
    status: 'any',
  });
  assert.deepEqual([all?.length, listed?.length], [1, 1]);
});
