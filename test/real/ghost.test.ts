/** The Ghost destination against a real Ghost, which verifies the sandbox. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DeliverableArticle } from '../../article/types.ts';
import { ghost } from '../../destinations/ghost/index.ts';
import type { Outcome } from '../../destinations/types.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { startEditingProxy } from './editing-proxy.ts';
import { editByHand, listPosts, makeSiteArticle, openGhost, requestGhost, siteUrl, skip } from './ghost-site.ts';

function done<T>(outcome: Outcome<T>): T {
  assert.equal(outcome.kind, 'done', JSON.stringify(outcome));
  return (outcome as { value: T }).value;
}

const buildPayload = (article: DeliverableArticle) => ghost.format(article).payload;
const readHtml = async (remoteId: string) =>
  String((await requestGhost('GET', `/posts/${remoteId}/?formats=html`)).first.html);

const BODY = `# Part

Words with **bold**, *italic*, ~~gone~~, \`{{code}}\` and {{#foreach posts}}{{title}}{{/foreach}}.

| left | right |
|------|------:|
| 1    | \`2\`   |

\`\`\`js
const a = "{{b}}" < 1 && '&amp;';

// two lines
\`\`\`

\`\`\`c++
int x;
\`\`\`

See the note[^1] and [the end](#the-end).

- one
- two
  1. three

- [x] done

> A quote.
>
> Of two paragraphs.

<details><summary>More</summary>

Hidden **words**.

</details>

[![linked](https://images.example.com/a.png)](https://links.example.com/)

![alone](https://images.example.com/b.png "titled")

    <!--kg-card-begin: html--><script>alert('code')</script><!--kg-card-end: html-->

<!--kg-card-begin: html--><script>alert('forged')</script><!--kg-card-end: html-->

<span title="<!--kg-card-end: html--><script>alert('title')</script>">kbd <kbd>Ctrl</kbd></span>

<script>alert('plain')</script><img src="x" onerror="alert('image')">

## The end

[^1]: The note itself.
`;

describe('a real Ghost', { skip }, () => {
  test('a probe names the site of a valid key, and rejects a wrong key and a wrong address', async () => {
    const { account } = done(await openGhost().probe());
    assert.match(account, /^[\w.-]+(:\d+)?(\/\S+)?$/);
    for (const path of ['/', '/ghost', '/ghost/api/admin/', '/ghost/#/settings/integrations']) {
      assert.equal(done(await openGhost(`${siteUrl}${path}`).probe()).account, account, path);
    }
    const strange = await openGhost(siteUrl, `${'0'.repeat(24)}:${'0'.repeat(64)}`).probe();
    assert.ok(strange.kind === 'unauthorised' && /Unknown Admin API Key/.test(strange.reason), JSON.stringify(strange));
    assert.notEqual((await openGhost(`${siteUrl}/no/such/place`).probe()).kind, 'done');
  });

  test('an article with every element arrives unchanged', async (context) => {
    const article = makeSiteArticle(context, { body: BODY, subtitle: 'A subtitle', excerpt: 'An excerpt.' });
    const post = done(await openGhost().create(buildPayload(article)));
    const { first } = await requestGhost('GET', `/posts/${post.remoteId}/?formats=html`);
    assert.deepEqual(
      [first.title, first.status, first.slug, first.canonical_url, first.custom_excerpt, first.meta_description],
      [article.title, 'published', article.slug, article.canonicalUrl, 'A subtitle', 'An excerpt.'],
    );
    assert.deepEqual(
      (first.tags as { name: string }[]).map(({ name }) => name),
      article.tags,
    );
    const html = String(first.html);
    for (const part of [
      /<h2 id="part">Part<\/h2>/,
      /<s>gone<\/s>/,
      /<code>\{\{code\}\}<\/code> and \{\{#foreach posts\}\}\{\{title\}\}\{\{\/foreach\}\}/,
      /<table>[\s\S]*<th align="right">right<\/th>[\s\S]*<td align="right"><code>2<\/code><\/td>/,
      /<pre><code class="language-js">const a = "\{\{b\}\}" &lt; 1 &amp;&amp; '&amp;amp;';\n\n\/\/ two lines\n<\/code><\/pre>/,
      /<pre><code class="language-c\+\+">int x;/,
      /href="#user-content-fn-1" id="user-content-fnref-1"[\s\S]*<li id="user-content-fn-1">[\s\S]*The note itself/,
      /<h2 id="the-end">The end<\/h2>/,
      /<input type="checkbox"[^>]*checked[^>]*> done/,
      /<blockquote>A quote\.<br><br>Of two paragraphs\.<\/blockquote>/,
      /<details><summary>More<\/summary>[\s\S]*Hidden <strong>words<\/strong>/,
      /<a href="https:\/\/links\.example\.com\/"><img src="https:\/\/images\.example\.com\/a\.png"/,
      /<img src="https:\/\/images\.example\.com\/b\.png"[^>]*alt="alone"[^>]*title="titled"/,
      /<kbd>Ctrl<\/kbd>/,
    ]) {
      assert.match(html, part);
    }
  });

  test('the public page runs no script of the author (A8)', async (context) => {
    const article = makeSiteArticle(context, { body: BODY, title: 'T <script>alert("title")</script> {{title}}' });
    const { url } = done(await openGhost().create(buildPayload(article)));
    const page = await fetch(url);
    assert.equal(page.status, 200);
    const html = await page.text();
    assert.match(html, /<table>[\s\S]*<\/table>/);
    assert.match(html, /class="language-js"/);
    assert.ok(html.includes(`<link rel="canonical" href="${article.canonicalUrl}"`));
    assert.ok(html.includes('{{#foreach posts}}{{title}}{{/foreach}}'), 'handlebars are text');
    const scripts = html.match(/<script\b[\s\S]*?<\/script>/g) ?? [];
    for (const script of scripts) assert.doesNotMatch(script, /^<script>alert/);
    assert.doesNotMatch(html, /onerror=/);
  });

  test('publishing twice gives one post: the second time is an update', async (context) => {
    const client = openGhost();
    const article = makeSiteArticle(context);
    const post = done(await client.create(buildPayload(article)));
    const found = done(await client.find(article));
    assert.deepEqual(found, post);
    const next = { ...article, title: `${article.title}, again`, body: 'Better.\n', tags: [] };
    const updated = done(await client.update(post.remoteId, buildPayload(next), post.changedAt));
    assert.deepEqual([updated.remoteId, updated.url], [post.remoteId, post.url]);
    const posts = await listPosts(article.canonicalUrl);
    assert.deepEqual(
      posts.map(({ id, title, html, tags }) => [id, title, html, tags]),
      [[post.remoteId, next.title, '<p>Better.</p>', []]],
    );
    assert.match(await (await fetch(post.url)).text(), /Better\./);
  });

  test('a post is found by its canonical URL in every spelling, quotes and the site’s own address included', async (context) => {
    const client = openGhost();
    for (const canonicalUrl of [
      `https://É.example/${Date.now()}/it's {here}/?q=[1]&r='2'`.replace(' ', '%20'),
      `${siteUrl}/courant-inside-${Date.now()}/`,
      `${siteUrl}/courant-inside-${Date.now()}-without-slash`,
    ]) {
      const article = makeSiteArticle(context, { canonicalUrl });
      const post = done(await client.create(buildPayload(article)));
      for (const spelled of [canonicalUrl, `${canonicalUrl}#top`]) {
        const look = { ...article, canonicalUrl: spelled, slug: 'another-slug' };
        assert.deepEqual(done(await client.find(look)), post, spelled);
      }
    }
    assert.equal(done(await client.find(makeSiteArticle(context))), null);
  });

  test('the filter alone finds a sent post, without listing all posts', async (context) => {
    const proxy = await startCuttingProxy(context, siteUrl);
    for (const canonicalUrl of [`https://a.example/it's-${Date.now()}`, `${siteUrl}/courant-filter-${Date.now()}/`]) {
      const article = makeSiteArticle(context, { canonicalUrl });
      const post = done(await openGhost().create(buildPayload(article)));
      const before = proxy.seen.length;
      // The origin of the proxy differs from that of the site, like some admin addresses.
      const found = done(await openGhost(proxy.origin).find({ ...article, slug: 'another-slug' }));
      assert.equal(found?.remoteId, post.remoteId);
      assert.equal(proxy.seen.length - before, 1, canonicalUrl);
    }
  });

  test('an external edit is drift, and is overwritten only on request', async (context) => {
    const client = openGhost();
    const article = makeSiteArticle(context);
    const post = done(await client.create(buildPayload(article)));
    // Our own writes are not drift.
    const own = done(await client.update(post.remoteId, buildPayload({ ...article, body: 'Own.\n' }), post.changedAt));
    done(await client.update(post.remoteId, buildPayload({ ...article, body: 'Own again.\n' }), own.changedAt));
    const known = done(await client.update(post.remoteId, buildPayload(article))).changedAt;
    await editByHand(post.remoteId, { title: 'Edited by hand' });
    const drifted = await client.update(post.remoteId, buildPayload(article), known);
    assert.ok(drifted.kind === 'drifted', JSON.stringify(drifted));
    assert.equal((await requestGhost('GET', `/posts/${post.remoteId}/`)).first.title, 'Edited by hand');
    done(await client.update(post.remoteId, buildPayload(article), drifted.changedAt));
    assert.equal((await requestGhost('GET', `/posts/${post.remoteId}/`)).first.title, article.title);
  });

  test('a save between our read and our write is a conflict, and the post is read again', async (context) => {
    const article = makeSiteArticle(context);
    const post = done(await openGhost().create(buildPayload(article)));
    const proxy = await startCuttingProxy(context, siteUrl);
    // The first read through this proxy is followed by an edit before its response.
    const editing = openGhost(await startEditingProxy(context, proxy.origin, post.remoteId));
    const title = `${article.title}, changed`;
    done(await editing.update(post.remoteId, buildPayload({ ...article, title })));
    assert.deepEqual(
      proxy.seen.map((line) => line.split(' ')[0]),
      ['GET', 'PUT', 'GET', 'PUT'],
    );
    assert.equal((await requestGhost('GET', `/posts/${post.remoteId}/`)).first.title, title);
    const again = openGhost(await startEditingProxy(context, proxy.origin, post.remoteId));
    const known = done(await openGhost().update(post.remoteId, buildPayload(article))).changedAt;
    const drifted = await again.update(post.remoteId, buildPayload({ ...article, title }), known);
    assert.ok(drifted.kind === 'drifted', JSON.stringify(drifted));
    assert.equal((await requestGhost('GET', `/posts/${post.remoteId}/`)).first.title, 'Meddled with');
  });

  test('a withdrawn post is a 404 for readers, is found, and returns at its old address', async (context) => {
    const client = openGhost();
    const article = makeSiteArticle(context);
    const post = done(await client.create(buildPayload(article)));
    assert.equal((await fetch(post.url)).status, 200);
    assert.equal(done(await client.withdraw(post.remoteId)), null);
    done(await client.withdraw(post.remoteId));
    assert.equal((await fetch(post.url)).status, 404);
    const found = done(await client.find(article));
    assert.equal(found?.remoteId, post.remoteId);
    assert.match(found?.url ?? '', /\/p\/[0-9a-f-]{36}\/$/);
    const back = done(await client.update(post.remoteId, buildPayload(article), post.changedAt));
    assert.equal(back.url, post.url);
    assert.equal((await fetch(post.url)).status, 200);
    assert.equal(await readHtml(post.remoteId), `<p>${article.body.trim()}</p>`);
  });

  test('a post that was deleted there is absent for every call', async (context) => {
    const client = openGhost();
    const article = makeSiteArticle(context);
    const post = done(await client.create(buildPayload(article)));
    await requestGhost('DELETE', `/posts/${post.remoteId}/`);
    for (const outcome of [
      await client.update(post.remoteId, buildPayload(article)),
      await client.withdraw(post.remoteId),
    ]) {
      assert.ok(outcome.kind === 'rejected' && outcome.code === 'remote_gone', JSON.stringify(outcome));
    }
    assert.equal(done(await client.find(article)), null);
  });

  test('a create whose response is lost is unknown, is found, and stays one post', async (context) => {
    const article = makeSiteArticle(context);
    const proxy = await startCuttingProxy(context, siteUrl);
    const client = openGhost(proxy.origin);
    proxy.cutNext((method) => method === 'POST');
    assert.equal((await client.create(buildPayload(article))).kind, 'unknown');
    const found = done(await client.find(article));
    assert.ok(found);
    done(await client.update(found.remoteId, buildPayload(article)));
    assert.equal((await listPosts(article.canonicalUrl)).length, 1);
    assert.equal(proxy.seen.filter((line) => line.startsWith('POST')).length, 1);
  });

  test('an update whose response is lost can be repeated', async (context) => {
    const article = makeSiteArticle(context);
    const proxy = await startCuttingProxy(context, siteUrl);
    const client = openGhost(proxy.origin);
    const post = done(await client.create(buildPayload(article)));
    proxy.cutNext((method) => method === 'PUT');
    const next = buildPayload({ ...article, body: 'Second.\n' });
    assert.equal((await client.update(post.remoteId, next, post.changedAt)).kind, 'unknown');
    done(await client.update(post.remoteId, next));
    assert.equal(await readHtml(post.remoteId), '<p>Second.</p>');
  });

  test('texts that are truncated to our limits are accepted by Ghost, and so is a large article', async (context) => {
    const article = makeSiteArticle(context, {
      title: `𝕋 ${'word '.repeat(100)}`,
      subtitle: '𝕊ub '.repeat(200),
      excerpt: 'excerpt '.repeat(200),
      coverImage: 'https://É.example/ü{1}.png',
      tags: ['#courant-test hidden', ',courant-test comma', `courant-test ${'z'.repeat(175)}`],
      body: `${'A paragraph of some words.\n\n'.repeat(30_000)}| a |\n|---|\n`,
    });
    const post = done(await openGhost().create(buildPayload(article)));
    const { first } = await requestGhost('GET', `/posts/${post.remoteId}/`);
    assert.ok([...String(first.title)].length <= 255);
    assert.equal(first.feature_image, 'https://xn--9ca.example/%C3%BC%7B1%7D.png');
    const tags = first.tags as { visibility: string }[];
    assert.deepEqual(
      tags.map(({ visibility }) => visibility),
      ['public', 'public', 'public'],
    );
    done(await openGhost().update(post.remoteId, buildPayload({ ...article, body: 'Short.\n' }), post.changedAt));
  });

  test('Ghost redirects a path without its trailing slash', async () => {
    const answer = await fetch(`${siteUrl}/ghost/api/admin/site`, { redirect: 'manual' });
    assert.equal(answer.status, 301, 'this is why every path here ends in a slash');
  });
});
