/** Tests the link relations of pages, in their `<head>` and in their `Link` header. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatLinkHeader,
  type Link,
  listArticleLinks,
  listListLinks,
  listPageLinks,
  renderLinks,
} from '../../../api/articles/alternates/links.ts';
import { buildStoredArticle } from '../../article/support/stored-article.ts';

const SITE = 'https://courant.example';
const SITE_LINKS = [
  { rel: 'describedby', href: `${SITE}/llms.txt`, type: 'text/markdown' },
  { rel: 'api-catalog', href: `${SITE}/.well-known/api-catalog`, type: 'application/linkset+json' },
];

test('an article links to its canonical address, its Markdown and its documents for agents', () => {
  const document = { href: `${SITE}/api/geo/posts/a%20b`, type: 'application/json' };
  assert.deepEqual(listArticleLinks(buildStoredArticle({ slug: 'a b' }), SITE), [
    { rel: 'canonical', href: 'https://elsewhere.example/an-article' },
    { rel: 'alternate', href: `${SITE}/a%20b.md`, type: 'text/markdown' },
    { rel: 'alternate', ...document },
    { rel: 'describedby', ...document },
    { rel: 'describedby', href: `${document.href}/description`, type: 'application/json' },
    ...SITE_LINKS,
  ]);
});

test('a list links to its Markdown and its three feeds', () => {
  assert.deepEqual(listListLinks({ path: '/tags/rust', title: '#rust' }, SITE), [
    { rel: 'canonical', href: `${SITE}/tags/rust` },
    { rel: 'alternate', href: `${SITE}/tags/rust.md`, type: 'text/markdown' },
    ...SITE_LINKS,
    { rel: 'alternate', href: `${SITE}/tags/rust/feed.xml`, type: 'application/rss+xml', title: '#rust (RSS)' },
    { rel: 'alternate', href: `${SITE}/tags/rust/atom.xml`, type: 'application/atom+xml', title: '#rust (Atom)' },
    {
      ...{ rel: 'alternate', href: `${SITE}/tags/rust/feed.json`, type: 'application/feed+json' },
      title: '#rust (JSON Feed)',
    },
  ]);
});

test('the Markdown alternate of the front page is index.md', () => {
  assert.deepEqual(listPageLinks('/', SITE), [
    { rel: 'canonical', href: `${SITE}/` },
    { rel: 'alternate', href: `${SITE}/index.md`, type: 'text/markdown' },
    ...SITE_LINKS,
  ]);
});

test('the head and the Link header have the same relations, with escaped titles', () => {
  const links: Link[] = [
    { rel: 'canonical', href: 'https://x.example/größe/<a>"b\\c%20d' },
    { rel: 'alternate', href: 'https://x.example/', type: 'text/markdown', title: 'Say "hi" \\ ~' },
    { rel: 'alternate', href: 'https://x.example/', title: "It's größer* (alone)" },
  ];
  assert.equal(
    renderLinks(links).text,
    `<link rel="canonical" href="https://x.example/größe/&lt;a&gt;&quot;b\\c%20d">
<link rel="alternate" type="text/markdown" title="Say &quot;hi&quot; \\ ~" href="https://x.example/">
<link rel="alternate" title="It&#39;s größer* (alone)" href="https://x.example/">
`,
  );
  assert.equal(
    formatLinkHeader(links),
    [
      '<https://x.example/gr%C3%B6%C3%9Fe/%3Ca%3E%22b%5Cc%20d>; rel="canonical"',
      '<https://x.example/>; rel="alternate"; type="text/markdown"; title="Say \\"hi\\" \\\\ ~"',
      '<https://x.example/>; rel="alternate"; title*=UTF-8\'\'It%27s%20gr%C3%B6%C3%9Fer%2A%20%28alone%29',
    ].join(', '),
  );
});

test('control characters in an address or a title do not reach the Link header', () => {
  const header = formatLinkHeader([{ rel: 'alternate', href: 'https://x.example/a\r\nb c', title: 'a\nb' }]);
  assert.equal(header, '<https://x.example/a%0D%0Ab%20c>; rel="alternate"; title*=UTF-8\'\'a%0Ab');
});
