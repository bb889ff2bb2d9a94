/**
 * The view of readers of a real WordPress site: an article with its tags and cover. All tests with
 * covers are in this file, because files run concurrently and each test counts new covers.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordpress } from '../../destinations/wordpress/index.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { done, pageText, publish, ready, serveCover } from './wordpress-posts.ts';
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

test('publishing twice gives one post, with its tags and one cover', { skip }, async (context) => {
  for (const baseUrl of [apiUrl, `${siteUrl}/?rest_route=/`]) {
    const client = openWordPress(baseUrl);
    const cover = await serveCover(context);
    const article = makeSiteArticle(context, { coverImage: cover.url, title: 'Tags & <covers>' });
    const post = await publish(client, article);
    // The second publish looks up, finds and updates.
    const found = done(await client.find(article));
    assert.equal(found?.remoteId, post.remoteId);
    done(await client.update(post.remoteId, await ready(client, article), found?.changedAt ?? null));
    assert.deepEqual(
      (await listPosts(article)).map(({ id }) => String(id)),
      [post.remoteId],
    );
    const [copy, ...others] = await cover.copies();
    assert.deepEqual([copy?.alt_text, others], ['Tags &amp; &lt;covers&gt;', []]);
    const stored = await requestWordPress<{ featured_media: number; tags: number[] }>('GET', `/posts/${post.remoteId}`);
    assert.equal(stored?.featured_media, copy?.id);
    const tags = await requestWordPress<{ name: string }[]>('GET', '/tags', { include: stored?.tags.join(',') });
    assert.deepEqual(tags?.map(({ name }) => name.replace('&amp;', '&')).sort(), [...article.tags].sort());
    const html = await pageText(post.url);
    assert.match(html, /Tags &amp; &lt;covers&gt;<\/h1>/);
  }
});

const BODY = `# A heading

Write \`[gallery]\` or [gallery] or <a href="https://x.example/[gallery]" title="[audio src='a.mp3']">this</a>; use --flag, item 8) :)

https://www.youtube.com/watch?v=dQw4w9WgXcQ

https://unknown.example/watch?v=dQw4w9WgXcQ

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

/** Texts that readers must see, whoever published them. */
const SHOWN = [
  '<h2 class="wp-block-heading" id="a-heading">A heading</h2>',
  'Write <code>&#91;gallery&#93;</code> or &#91;gallery&#93; or <a href="https://x.example/%5Bgallery%5D"',
  'use -&#45;flag, item &#56;) &#58;)</p>',
  '<p><a href="https://unknown.example/watch?v=dQw4w9WgXcQ">',
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

test('readers see the text of the author: no shortcode runs, and only known sites are embedded', {
  skip,
}, async (context) => {
  const author = await makeUser(context, 'author');
  // The HTML of an administrator is unchanged; that of an author is cleaned by the site.
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
    assert.match(text, /" title="(?:&#91;|\[)\u2060audio src=/);
    // A site that cannot reach the provider shows a link or the address instead.
    const embedded =
      /<div class="wp-block-embed__wrapper">\s*(?:<(?:iframe|a)\b[^>]*"https:\/\/www\.youtube\.com\/[^>]*>|https:\/\/www\.youtube\.com\/watch\?v=dQw4w9WgXcQ\s)/;
    assert.match(text, embedded);
    assert.doesNotMatch(text.replace(embedded, ''), /alert\(1\)|onclick|<iframe|class=['"]gallery|<audio/);
  }
});

test('a cover that the site ignores is detected', { skip }, async (context) => {
  const client = openWordPress();
  const payload = await ready(client, makeSiteArticle(context));
  const lost = { ...payload, ids: { tags: [], featuredMedia: 999_999_999, notices: [] } };
  assert.deepEqual(
    done(await client.create(lost)).notices?.map(({ code }) => code),
    ['cover_ignored'],
  );
});

test('a preparation whose responses are lost creates neither tags nor the cover twice', { skip }, async (context) => {
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
  const tags = await requestWordPress<{ id: number }[]>('GET', '/tags', { search: article.slug, per_page: 100 });
  assert.deepEqual(tags?.map(({ id }) => id).sort(), prepared.ids?.tags.toSorted());
});
