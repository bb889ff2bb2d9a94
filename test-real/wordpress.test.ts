/** The WordPress destination against a real site, which is left as it was found. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { DeliverableArticle } from '../article/types.ts';
import type { DestinationClient, Outcome } from '../destinations/types.ts';
import type { WordPressPayload } from '../destinations/wordpress/format.ts';
import { wordpress } from '../destinations/wordpress/index.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import {
  apiUrl,
  askSite,
  credentials,
  listPosts,
  makeSiteArticle,
  makeUser,
  openWordPress,
  siteUrl,
  skip,
} from './wordpress-site.ts';

type Client = DestinationClient<WordPressPayload>;

function done<T>(outcome: Outcome<T> | undefined): T {
  assert.equal(outcome?.kind, 'done', JSON.stringify(outcome));
  return (outcome as { value: T }).value;
}

async function ready(client: Client, article: DeliverableArticle): Promise<WordPressPayload> {
  return done(await client.prepare?.(wordpress.format(article).payload));
}

async function publish(client: Client, article: DeliverableArticle) {
  return done(await client.create(await ready(client, article)));
}

/** A picture nobody has seen before, on a server of the test's own; its copies on the site go with the test. */
async function serveCover(
  context: TestContext,
): Promise<{ url: string; copies: () => Promise<{ id: number; alt_text: string }[]> }> {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const bytes = Buffer.concat([Buffer.from(pixel, 'base64'), randomBytes(16)]);
  const server = createServer((_request, response) => response.end(bytes));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const before = new Set((await listMedia()).map(({ id }) => id));
  const copies = async () => (await listMedia()).filter(({ id }) => !before.has(id));
  context.after(async () => {
    for (const { id } of await copies()) await askSite('DELETE', `/media/${id}`, { force: true });
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cover.png`, copies };
}

async function listMedia() {
  return (await askSite<{ id: number; alt_text: string }[]>('GET', '/media', { per_page: 100 })) ?? [];
}

async function pageText(url: string): Promise<string> {
  const page = await fetch(url);
  assert.equal(page.status, 200);
  return page.text();
}

test('the site is found from its address, and is the same account in either form', { skip }, async () => {
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

test('publishing twice leaves one post, with its tags and one cover', { skip }, async (context) => {
  for (const baseUrl of [apiUrl, `${siteUrl}/?rest_route=/`]) {
    const client = openWordPress(baseUrl);
    const cover = await serveCover(context);
    const article = makeSiteArticle(context, { coverImage: cover.url, title: 'Tags & <covers>' });
    const post = await publish(client, article);
    // What the second time does: looks, finds, updates.
    const found = done(await client.find(article));
    assert.equal(found?.remoteId, post.remoteId);
    done(await client.update(post.remoteId, await ready(client, article), found?.changedAt ?? null));
    assert.deepEqual(
      (await listPosts(article)).map(({ id }) => String(id)),
      [post.remoteId],
    );
    const [copy, ...others] = await cover.copies();
    assert.deepEqual([copy?.alt_text, others], ['Tags &amp; &lt;covers&gt;', []]);
    const stored = await askSite<{ featured_media: number; tags: number[] }>('GET', `/posts/${post.remoteId}`);
    assert.equal(stored?.featured_media, copy?.id);
    const tags = await askSite<{ name: string }[]>('GET', '/tags', { include: stored?.tags.join(',') });
    assert.deepEqual(tags?.map(({ name }) => name.replace('&amp;', '&')).sort(), [...article.tags].sort());
    const html = await pageText(post.url);
    assert.match(html, /Tags &amp; &lt;covers&gt;<\/h1>/);
  }
});

const BODY = `# A heading

Write \`[gallery]\` or [gallery] or <a href="https://x.example/[gallery]" title="[audio src='a.mp3']">this</a>; use --flag, item 8) :)

https://www.youtube.com/watch?v=dQw4w9WgXcQ

\`\`\`html
<p>[gallery]</p>

https://www.youtube.com/watch?v=dQw4w9WgXcQ
<!--nextpage-->
\`\`\`

| left | right |
|:-----|------:|
| 1    | \`x\`   |

- [x] done
  - below

1. one

   Two paragraphs.

> Quoted.[^note]

<details><summary>More</summary>

Inside.

</details>

<script>alert(1)</script><p onclick="alert(1)">Clicked.</p>

[^note]: The note.
`;

/** What readers of the page must find, whoever published it. */
const SHOWN = [
  '<h2 class="wp-block-heading" id="a-heading">A heading</h2>',
  'Write <code>&#91;gallery&#93;</code> or &#91;gallery&#93; or <a href="https://x.example/&#91;gallery&#93;"',
  'use -&#45;flag, item &#56;) &#58;)</p>',
  '<p><a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ">',
  '<code>&lt;p&gt;&#91;gallery&#93;&lt;/p&gt;\n\nhttps:/&#47;www.youtube.com/watch?v=dQw4w9WgXcQ\n&lt;!-&#45;nextpage-&#45;&gt;</code>',
  '<figure class="wp-block-table"><table><thead><tr><th class="has-text-align-left" data-align="left">left</th>',
  '☑\ufe0e done',
  '<p>Two paragraphs.</p>',
  '<a href="#user-content-fn-note"',
  '<li id="user-content-fn-note">',
  '<details><summary>More</summary>\n<p>Inside.</p>\n</details>',
  '<p>Clicked.</p>',
  '<p class="courant-original">Originally published at <a href="https://blog.example.com/',
];

test('readers see what the author wrote: no shortcode runs, nothing is embedded', { skip }, async (context) => {
  const author = await makeUser(context, 'author');
  // An administrator’s HTML is kept as it is, an author’s is cleaned by the site.
  for (const as of [credentials, author]) {
    const client = openWordPress(apiUrl, as);
    const post = await publish(client, makeSiteArticle(context, { body: BODY }));
    const html = (await pageText(post.url)).replaceAll('&#091;', '&#91;').replaceAll('&#093;', '&#93;');
    const text = html
      .replaceAll('&#045;', '&#45;')
      .replaceAll('&#047;', '&#47;')
      .replaceAll(/&#0(5[68]);/g, '&#$1;');
    for (const shown of SHOWN)
      assert.ok(text.includes(shown), `${as.username}: ${shown}\n${text.slice(text.indexOf('entry-content'))}`);
    assert.doesNotMatch(text, /alert\(1\)|onclick|<iframe|class=['"]gallery|<audio/);
  }
});

test('an account that may not publish is refused before anything is sent', { skip }, async (context) => {
  const contributor = await makeUser(context, 'contributor');
  const client = openWordPress(apiUrl, contributor);
  const probed = await client.probe();
  assert.ok(probed.kind === 'rejected' && probed.code === 'cannot_publish', JSON.stringify(probed));
  const article = makeSiteArticle(context);
  const refused = await client.create(await ready(client, article));
  assert.ok(refused.kind === 'rejected' && refused.code === 'cannot_publish' && !refused.maybeSaved);
  assert.deepEqual(await listPosts(article), []);
});

test('an update changes the post, and leaves changes by other means alone', {
  skip,
}, async (context) => {
  const client = openWordPress();
  const article = makeSiteArticle(context);
  const post = await publish(client, article);
  const better = await ready(client, { ...article, title: 'A better title', body: 'Better.\n', tags: [] });
  const updated = done(await client.update(post.remoteId, better, post.changedAt));
  assert.equal(updated.url, post.url);
  assert.match(await pageText(post.url), /A better title[\s\S]*<p>Better\.<\/p>/);
  // An edit within seconds of our own write cannot be told from a plugin that finishes it.
  await setTimeout(6100);
  await askSite('POST', `/posts/${post.remoteId}`, {}, { title: 'By hand' });
  const known = done(await client.find(article))?.changedAt;
  const drifted = await client.update(post.remoteId, better, updated.changedAt);
  assert.ok(drifted.kind === 'drifted' && drifted.changedAt === known, JSON.stringify(drifted));
  assert.match(await pageText(post.url), /By hand/);
  done(await client.update(post.remoteId, better, drifted.changedAt));
  assert.match(await pageText(post.url), /A better title/);
});

test('a withdrawn post is gone for readers, is found, and comes back at its address', { skip }, async (context) => {
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

test('posts of other authors are neither found nor changed, though an administrator could', {
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
  // As an author the site itself says no.
  assert.equal((await author.withdraw(ours.remoteId)).kind, 'rejected');
  assert.equal((await askSite<{ status: string }>('GET', `/posts/${ours.remoteId}`))?.status, 'publish');
});

test('a cover that the site ignores is noticed', { skip }, async (context) => {
  const client = openWordPress();
  const payload = await ready(client, makeSiteArticle(context));
  const lost = { ...payload, ids: { tags: [], featuredMedia: 999_999_999, notices: [] } };
  assert.deepEqual(
    done(await client.create(lost)).notices?.map(({ code }) => code),
    ['cover_ignored'],
  );
});

test('a post in the trash is gone, and is not restored', { skip }, async (context) => {
  const client = openWordPress();
  const article = makeSiteArticle(context);
  const post = await publish(client, article);
  await askSite('DELETE', `/posts/${post.remoteId}`);
  assert.equal(done(await client.find(article)), null);
  for (const outcome of [
    await client.update(post.remoteId, await ready(client, article), post.changedAt),
    await client.withdraw(post.remoteId),
    await client.update('999999999', await ready(client, article)),
  ]) {
    assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_gone', JSON.stringify(outcome));
  }
  assert.equal((await askSite<{ status: string }>('GET', `/posts/${post.remoteId}`))?.status, 'trash');
});

test('a create whose answer is lost is unknown, is found, and stays one post', { skip }, async (context) => {
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
  const all = await askSite<object[]>('GET', '/posts', { search: article.slug, status: 'any', context: 'edit' });
  const listed = await askSite<object[]>('GET', '/posts', { slug: `${article.slug},${article.slug}-2`, status: 'any' });
  assert.deepEqual([all?.length, listed?.length], [1, 1]);
});

test('a preparation whose answers are lost creates neither tags nor the cover twice', { skip }, async (context) => {
  const proxy = await startCuttingProxy(context, siteUrl);
  const client = openWordPress(`${proxy.origin}/wp-json`);
  const cover = await serveCover(context);
  const article = makeSiteArticle(context, { coverImage: cover.url });
  const { payload } = wordpress.format(article);
  proxy.cutNext((method, path) => method === 'POST' && path.includes('/wp/v2/tags'));
  assert.equal((await client.prepare?.(payload))?.kind, 'unavailable');
  proxy.cutNext((method, path) => method === 'POST' && path.includes('/wp/v2/media'));
  const prepared = await ready(client, article);
  assert.deepEqual(await ready(client, article), prepared);
  const copies = await cover.copies();
  assert.deepEqual([prepared.ids?.featuredMedia, copies.length], [copies[0]?.id, 1]);
  const tags = await askSite<{ id: number }[]>('GET', '/tags', { search: article.slug, per_page: 100 });
  assert.deepEqual(tags?.map(({ id }) => id).sort(), prepared.ids?.tags.toSorted());
});
