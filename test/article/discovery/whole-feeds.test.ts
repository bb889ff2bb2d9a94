/** Compares feeds and sitemaps in full: an entry with everything, and one without what is optional. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeLinkText, escapeMarkdown, escapeTarget } from '../../../article/discovery/escape-markdown.ts';
import { listCategories } from '../../../article/discovery/feeds/feed.ts';
import {
  buildFeedUrl,
  FEED_FORMATS,
  formatAtom,
  formatJsonFeed,
  formatRss,
} from '../../../article/discovery/feeds/feed-formats.ts';
import { resolveWebAddress } from '../../../article/discovery/feeds/portable-html.ts';
import { makeReadable } from '../../../article/discovery/feeds/readable.ts';
import { formatSitemap, formatSitemapIndex } from '../../../article/discovery/sitemap.ts';
import { SITE } from '../support/documents.ts';
import { buildFeed, buildFeedEntry } from '../support/feeds.ts';

const full = buildFeedEntry({
  ...{ language: 'de', coverImage: '/c.png', contentSignal: 'search=yes' },
  canonicalUrl: 'https://elsewhere.example/a',
});
const bare = buildFeedEntry({ excerpt: '', html: null, category: null, language: null, tags: [] });
const ID = 'urn:uuid:6f1c1c5e-0f6b-4c59-9d1c-1f2f3a4b5c6d';

/** Without the indentation of the generator. */
const readLines = (xml: string) => xml.trim().split(/\n\s*/);

test('an RSS feed has the specified elements', () => {
  const channel = [
    '<channel>',
    '<title>Courant</title>',
    `<link>${SITE}/</link>`,
    '<description>Articles.</description>',
    '<lastBuildDate>Sat, 21 Nov 2026 10:00:00 GMT</lastBuildDate>',
    '<generator>Courant</generator>',
    `<atom:link href="${SITE}/feed" rel="self" type="application/rss+xml"/>`,
    '<item>',
    '<title>An article</title>',
    `<link>${SITE}/an-article</link>`,
  ];
  const times = [
    `<guid isPermaLink="false">${ID}</guid>`,
    '<pubDate>Fri, 20 Nov 2026 10:00:00 GMT</pubDate>',
    '<atom:updated>2026-11-21T10:00:00.000Z</atom:updated>',
  ];
  const end = ['</item>', '</channel>', '</rss>'];
  assert.deepEqual(readLines(formatRss(buildFeed(full))).slice(2), [
    ...channel,
    '<description>What it says.</description>',
    '<category>typescript</category>',
    '<category>backend</category>',
    ...times.slice(0, 2),
    '<atom:link href="https://elsewhere.example/a" rel="canonical"/>',
    ...times.slice(2),
    '<dc:creator>Ada</dc:creator>',
    '<dc:language>de</dc:language>',
    '<dc:rights>Content-Signal: search=yes</dc:rights>',
    '<content:encoded>',
    '<![CDATA[<p>Text.</p>]]>',
    '</content:encoded>',
    `<media:content url="${SITE}/c.png" medium="image"/>`,
    ...end,
  ]);
  assert.deepEqual(readLines(formatRss(buildFeed(bare))).slice(2), [
    ...channel,
    ...times,
    '<dc:creator>Ada</dc:creator>',
    ...end,
  ]);
});

test('an Atom feed has the specified elements', () => {
  const head = [
    '<generator>Courant</generator>',
    `<id>${SITE}/</id>`,
    `<link href="${SITE}/feed" rel="self" type="application/atom+xml"/>`,
    `<link href="${SITE}/" rel="alternate" type="text/html"/>`,
    '<subtitle>Articles.</subtitle>',
    '<title>Courant</title>',
    '<updated>2026-11-21T10:00:00.000Z</updated>',
  ];
  const author = ['<author>', '<name>Ada</name>', `<uri>${SITE}/authors/ada</uri>`, '</author>'];
  const links = [`<id>${ID}</id>`, `<link href="${SITE}/an-article" rel="alternate" type="text/html"/>`];
  const published = '<published>2026-11-20T10:00:00.000Z</published>';
  const title = ['<title>An article</title>', '<updated>2026-11-21T10:00:00.000Z</updated>'];
  assert.deepEqual(readLines(formatAtom(buildFeed(full))).slice(2), [
    ...head,
    '<entry xml:lang="de">',
    ...author,
    '<category term="typescript"/>',
    '<category term="backend"/>',
    '<content type="html">',
    '<![CDATA[<p>Text.</p>]]>',
    '</content>',
    ...links,
    '<link href="https://elsewhere.example/a" rel="canonical"/>',
    published,
    '<rights>Content-Signal: search=yes</rights>',
    '<summary>What it says.</summary>',
    ...title,
    `<media:content url="${SITE}/c.png" medium="image"/>`,
    '</entry>',
    '</feed>',
  ]);
  assert.deepEqual(readLines(formatAtom(buildFeed(bare))).slice(2), [
    ...[...head, '<entry>', ...author, ...links, published, ...title],
    ...['</entry>', '</feed>'],
  ]);
});

test('a JSON feed has the specified fields', () => {
  const head = {
    ...{ version: 'https://jsonfeed.org/version/1.1', title: 'Courant', description: 'Articles.' },
    ...{ home_page_url: `${SITE}/`, feed_url: `${SITE}/feed` },
  };
  const item = {
    ...{ id: ID, url: `${SITE}/an-article`, title: 'An article' },
    ...{ date_published: '2026-11-20T10:00:00.000Z', date_modified: '2026-11-21T10:00:00.000Z' },
    authors: [{ name: 'Ada', url: `${SITE}/authors/ada` }],
  };
  const readFeed = (...entries: (typeof full)[]) => JSON.parse(formatJsonFeed(buildFeed(...entries)));
  assert.deepEqual(readFeed(full, bare), {
    ...head,
    items: [
      {
        ...item,
        ...{ content_html: '<p>Text.</p>', summary: 'What it says.', image: `${SITE}/c.png` },
        ...{ tags: ['typescript', 'backend'], language: 'de' },
        _courant: { canonical_url: 'https://elsewhere.example/a', content_signal: 'search=yes' },
      },
      { ...item, content_text: 'An article', tags: [], _courant: { canonical_url: `${SITE}/an-article` } },
    ],
  });
  assert.deepEqual(readFeed(), { ...head, items: [] });
});

test('a feed is cleaned for readers: one line per text, cut excerpts, absolute addresses', () => {
  const [entry] = makeReadable(
    buildFeed(
      buildFeedEntry({
        ...{ title: ' \u0001 ', subtitle: ' ', excerpt: 'word '.repeat(300), html: '\r\n\u0000', language: ' ' },
        ...{ tags: ['a\nb', ' '], category: '\u0007', author: { name: ' Ada\n', url: '/a' } },
        ...{ coverImage: 'data:image/png;base64,', canonicalUrl: 'mailto:a@b.example' },
      }),
    ),
  ).entries;
  const { excerpt, ...rest } = entry ?? buildFeedEntry();
  assert.deepEqual(rest, {
    ...{ id: full.id, url: full.url, canonicalUrl: full.url, title: 'Untitled', subtitle: null, html: null },
    ...{ language: null, tags: ['a b'], category: null, author: { name: 'Ada', url: '/a' }, coverImage: null },
    ...{ contentSignal: null, publishedAt: full.publishedAt, updatedAt: full.updatedAt },
  });
  assert.ok(excerpt.length > 990 && excerpt.length <= 1_000, `${excerpt.length}`);
  const cleaned = makeReadable({ ...buildFeed(), title: 'A\r\nfeed\u0001', description: ' Of\ntexts ' });
  assert.deepEqual([cleaned.title, cleaned.description], ['A feed', 'Of texts']);
  const [texts] = makeReadable(buildFeed(buildFeedEntry({ subtitle: ' A\nb ', html: 'a\rb\r\nc\u0000 ' }))).entries;
  assert.deepEqual([texts?.subtitle, texts?.html], ['A b', 'a\nb\nc']);
});

test('categories are the tags and the category, each once', () => {
  assert.deepEqual(listCategories(buildFeedEntry({ tags: ['a', 'b', 'a'], category: 'b' })), ['a', 'b']);
  assert.deepEqual(listCategories(buildFeedEntry({ tags: ['a'], category: null })), ['a']);
});

test('a feed is below the page of its list', () => {
  assert.deepEqual(
    FEED_FORMATS.map((format) => [buildFeedUrl(`${SITE}/`, format), buildFeedUrl('/tags/a', format), format.type]),
    [
      [`${SITE}/feed.xml`, '/tags/a/feed.xml', 'application/rss+xml'],
      [`${SITE}/atom.xml`, '/tags/a/atom.xml', 'application/atom+xml'],
      [`${SITE}/feed.json`, '/tags/a/feed.json', 'application/feed+json'],
    ],
  );
});

test('only http and https are addresses of the web', () => {
  const page = `${SITE}/an-article`;
  for (const [address, expected] of [
    ['/c.png', `${SITE}/c.png`],
    ['http://x.example', 'http://x.example/'],
    ['https://x.example/ä', 'https://x.example/%C3%A4'],
    ['ftp://x.example/', null],
    ['javascript:alert(1)', null],
    ['https://', null],
  ] as const)
    assert.equal(resolveWebAddress(address, page), expected, address);
});

test('a sitemap has an entry per page, and the index one per part', () => {
  const pages = [
    { url: `${SITE}/a?b&c='"<>`, changedAt: new Date('2026-11-20T10:00:00Z') },
    { url: `${SITE}/b`, changedAt: undefined },
  ];
  assert.equal(
    formatSitemap(pages),
    `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>${SITE}/a?b&amp;c=&apos;&quot;&lt;&gt;</loc><lastmod>2026-11-20T10:00:00.000Z</lastmod></url>
<url><loc>${SITE}/b</loc></url>
</urlset>
`,
  );
  assert.equal(
    formatSitemapIndex(pages.slice(1)),
    `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>${SITE}/b</loc></sitemap>
</sitemapindex>
`,
  );
});

test('text of authors has no meaning in generated Markdown', () => {
  for (const [text, escaped] of [
    ['a\\b`c*d_e[f]g<h>i|j~k', 'a\\\\b\\`c\\*d\\_e\\[f\\]g\\<h\\>i\\|j\\~k'],
    ['R&D &amp; &#60; &', 'R&D \\&amp; \\&#60; &'],
    ['# a', '\\# a'],
    ['a # b + c = d - e', 'a # b + c = d - e'],
    ['+1', '\\+1'],
    ['=', '\\='],
    ['- a', '\\- a'],
    ['12. a 3. b', '12\\. a 3. b'],
    ['1) a', '1\\) a'],
    ['v1. a', 'v1. a'],
    [' a\n b ', 'a b'],
  ] as const)
    assert.equal(escapeMarkdown(text), escaped, text);
  assert.deepEqual(['[a] (b) [c]', ' ', '# a'].map(escapeLinkText), [
    '&#91;a&#93; (b) &#91;c&#93;',
    '(untitled)',
    '\\# a',
  ]);
  assert.equal(escapeTarget('https://x.example/(a) <b>\\\n?c'), 'https://x.example/%28a%29%20%3Cb%3E%5C%20?c');
});
