/** Tests the whole page of an article: with all that can surround its text, and with nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ArticleSurroundings, renderArticlePage } from '../../../api/articles/page/page.ts';
import { buildStoredArticle, derivedArticle } from '../../article/support/stored-article.ts';
import { buildCard, readHead, readMain } from './support/rendered.ts';

const baseUrl = 'https://courant.example';
const NOTHING: ArticleSurroundings = {
  author: { bio: null, pictureUrl: null },
  series: null,
  copies: [],
  related: [],
  reactions: [],
  discussion: null,
};
const PARTS = [
  { slug: 'p 1', title: 'One' },
  { slug: 'an article', title: 'An article' },
  { slug: 'p3', title: 'Three' },
];
const EVERYTHING: ArticleSurroundings = {
  author: { bio: 'Writes.', pictureUrl: 'https://face.example/1' },
  series: { id: 's1', title: 'The series', parts: PARTS },
  copies: [
    { name: 'DEV', url: 'https://dev.to/x' },
    { name: 'b.example', url: 'https://b.example/x' },
  ],
  related: [buildCard({ coverImage: null })],
  reactions: [],
  discussion: {
    ...{ slug: 'an article', authorUsername: 'ada', isOpen: false, count: 2, comments: [] },
    ...{ answer: { id: '1', authorName: 'Grace' }, hasEarlier: false, hasLater: false },
  },
};
const HEADINGS = [1, 2, 3, 4, 2].map((level, index) => ({ level, text: `Part ${index}`, id: `part-${index}` }));

const article = buildStoredArticle({
  ...{
    slug: 'an article',
    title: 'An article & more',
    subtitle: 'The subtitle',
    coverImage: 'https://x.example/c.png',
  },
  derived: { ...derivedArticle, language: null, headings: HEADINGS, readingTimeMinutes: 7 },
});

const renderFull = (around: Partial<ArticleSurroundings> = {}, generateToc = true) =>
  renderArticlePage(article, { ...EVERYTHING, ...around }, { baseUrl, generateToc });

test('the page of an article shows its surroundings in a fixed order', () => {
  assert.equal(
    readMain(renderFull()),
    `<main id="main" class="wide"><div class="progress" aria-hidden="true"></div><article class="reading with-contents" lang="" dir="auto" data-viewer="/articles/an%20article/viewer" data-readings="api/v1/articles/an%20article/readings">
<header class="article-header"><p class="series-head" lang="en" dir="ltr">Part 2 of 3 in <a href="/series/s1" dir="auto">The series</a></p><h1>An article &amp; more</h1>
<p class="subtitle" dir="auto">The subtitle</p>
<p class="byline" lang="en" dir="ltr"><img class="avatar small" src="https://face.example/1" alt="" width="40" height="40" loading="lazy" decoding="async"><span><a href="https://courant.example/@ada" rel="author" dir="auto">Ada</a><br>
<time datetime="2026-11-20T10:00:00.000Z">November 20, 2026</time> · <span class="nowrap">7 min read</span> · <a class="nowrap" href="#comments">2 comments, answered</a></span></p>
<img class="cover" src="https://x.example/c.png" alt="" width="1600" height="900" fetchpriority="high" decoding="async"></header>
<nav class="toc" aria-label="Contents"><details><summary lang="en">Contents</summary><ol><li><a href="#part-1" dir="auto">Part 1</a></li><li class="sub"><a href="#part-2" dir="auto">Part 2</a></li><li><a href="#part-4" dir="auto">Part 4</a></li></ol></details></nav>
<div class="prose"><p>Text.</p></div>
<footer class="article-end" lang="en" dir="ltr"><ul class="tags"><li dir="auto"><a href="/tags/typescript" rel="tag">#typescript</a></li></ul><div class="respond"><form class="reactions" id="reactions" method="post" action="/articles/an%20article/reactions" data-act="react" aria-label="Reactions"></form><div class="share" role="group" aria-label="Share" data-share="https://courant.example/an-article"><a class="button compact" href="mailto:?subject=An%20article%20%26%20more&amp;body=https%3A%2F%2Fcourant.example%2Fan-article">Mail<span class="sr-only"> the link to someone</span></a></div></div><p class="soft small">Also at <a href="https://dev.to/x" rel="syndication nofollow noopener">DEV</a> · <a href="https://b.example/x" rel="syndication nofollow noopener">b.example</a></p><nav class="series-end" aria-label="Series"><a class="prev" rel="prev" href="/p%201"><span class="soft small">Previous part</span><span dir="auto">One</span></a><a class="next" rel="next" href="/p3"><span class="soft small">Next part</span><span dir="auto">Three</span></a></nav><section class="author-card" aria-label="About the author"><img class="avatar large" src="https://face.example/1" alt="" width="96" height="96" loading="lazy" decoding="async"><div><p class="author-name"><a href="https://courant.example/@ada" rel="author" dir="auto">Ada</a></p>
<p class="bio" dir="auto">Writes.</p></div><form class="follow" method="post" action="/people/ada/follow" data-act="follow"><button class="button compact">Follow</button></form></section></footer>
</article>
<section class="comments" id="comments" aria-labelledby="comments-title" data-author="ada">
<h2 id="comments-title" class="rule">2 comments</h2>
<p class="answer-link"><span aria-hidden="true">✓ </span><a href="/articles/an%20article/comments?at=1#comment-1">The accepted answer</a> is by <bdi>Grace</bdi>.</p>
<p class="soft closed">Comments are closed.</p>
</section>
<aside class="related" aria-labelledby="related"><h2 id="related" class="rule">Read next</h2><ul class="teasers"><li><article class="teaser">
<div class="teaser-text"><h3 lang="ar" dir="rtl"><a href="/gr%C3%B6%C3%9Fe">On &lt;size&gt;</a></h3>
<p class="teaser-excerpt" lang="ar" dir="rtl">What fits.</p>
<p class="byline"><a href="/authors/ada" rel="author" dir="auto">Ada &amp; Co</a> · <time datetime="2026-11-20T10:00:00.000Z">November 20, 2026</time> · <span class="nowrap">3 min read</span></p></div>
</article></li></ul></aside></main>`,
  );
});

test('the page of an article without surroundings has no empty parts', () => {
  assert.equal(
    readMain(renderArticlePage(buildStoredArticle({ tags: [] }), NOTHING, { baseUrl, generateToc: true })),
    `<main id="main" class="wide"><div class="progress" aria-hidden="true"></div><article class="reading" lang="en" dir="ltr" data-viewer="/articles/an-article/viewer" data-readings="api/v1/articles/an-article/readings">
<header class="article-header"><h1>An article</h1>
<p class="byline" lang="en" dir="ltr"><span class="avatar small" aria-hidden="true">A</span><span><a href="https://courant.example/@ada" rel="author" dir="auto">Ada</a><br>
<time datetime="2026-11-20T10:00:00.000Z">November 20, 2026</time> · <span class="nowrap">1 min read</span></span></p>
</header>
<div class="prose"><p>Text.</p></div>
<footer class="article-end" lang="en" dir="ltr"><div class="respond"><form class="reactions" id="reactions" method="post" action="/articles/an-article/reactions" data-act="react" aria-label="Reactions"></form><div class="share" role="group" aria-label="Share" data-share="https://courant.example/an-article"><a class="button compact" href="mailto:?subject=An%20article&amp;body=https%3A%2F%2Fcourant.example%2Fan-article">Mail<span class="sr-only"> the link to someone</span></a></div></div><section class="author-card" aria-label="About the author"><span class="avatar large" aria-hidden="true">A</span><div><p class="author-name"><a href="https://courant.example/@ada" rel="author" dir="auto">Ada</a></p>
</div><form class="follow" method="post" action="/people/ada/follow" data-act="follow"><button class="button compact">Follow</button></form></section></footer>
</article>
</main>`,
  );
});

test('the head describes an article for search engines and social networks, with its cover image', () => {
  const [metadata = '', jsonLd = ''] = readHead(renderFull()).split('<script type="application/ld+json">');
  assert.equal(
    metadata.trim(),
    `<title>An article &amp; more</title>
<meta name="description" content="The subtitle">
<link rel="canonical" href="https://elsewhere.example/an-article">
<link rel="alternate" type="text/markdown" href="https://courant.example/an%20article.md">
<link rel="alternate" type="application/json" href="https://courant.example/api/geo/posts/an%20article">
<link rel="describedby" type="application/json" href="https://courant.example/api/geo/posts/an%20article">
<link rel="describedby" type="application/json" href="https://courant.example/api/geo/posts/an%20article/description">
<link rel="describedby" type="text/markdown" href="https://courant.example/llms.txt">
<link rel="api-catalog" type="application/linkset+json" href="https://courant.example/.well-known/api-catalog">
<meta property="og:type" content="article">
<meta property="og:title" content="An article &amp; more">
<meta property="og:description" content="Text.">
<meta property="og:url" content="https://courant.example/an-article">
<meta property="og:site_name" content="Courant">
<meta property="article:published_time" content="2026-11-20T10:00:00.000Z">
<meta property="article:modified_time" content="2026-11-21T10:00:00.000Z">
<meta property="og:image" content="https://x.example/c.png">
<meta name="twitter:card" content="summary_large_image">`,
  );
  const [described] = JSON.parse(jsonLd.replace('</script>', ''))['@graph'];
  assert.deepEqual([described.image, described.commentCount], [['https://x.example/c.png'], 2]);
});

test('without a cover image, the head names the card of the article', () => {
  const head = readHead(renderArticlePage(buildStoredArticle(), NOTHING, { baseUrl, generateToc: false }));
  const card = 'https://courant.example/cards/an-article-5346f7f930aacce1.png';
  assert.match(head, /<meta name="description" content="Text.">/);
  assert.ok(
    head.includes(`<meta property="og:image" content="${card}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="An article">
<meta name="twitter:card" content="summary_large_image">`),
  );
  const [described] = JSON.parse(head.split('<script type="application/ld+json">')[1]?.replace('</script>', '') ?? '')[
    '@graph'
  ];
  assert.deepEqual([described.image, 'commentCount' in described], [[card], false]);
});

test('a table of contents needs the author’s wish and two headings of level 2 or 3', () => {
  assert.doesNotMatch(readMain(renderFull({}, false)), /class="toc"|with-contents/);
  const render = (levels: number[]) => {
    const headings = levels.map((level) => ({ level, text: 'Part', id: 'part' }));
    const shown = buildStoredArticle({ derived: { ...derivedArticle, headings } });
    return readMain(renderArticlePage(shown, NOTHING, { baseUrl, generateToc: true }));
  };
  assert.doesNotMatch(render([2, 4]), /class="toc"/);
  assert.match(render([3, 3]), /class="toc"/);
});

test('a series shows its neighbouring parts, and none for its only part or an article that left it', () => {
  const render = (parts: typeof PARTS) => readMain(renderFull({ series: { id: 's1', title: 'The series', parts } }));
  const [first, shown, last] = PARTS as [(typeof PARTS)[0], (typeof PARTS)[0], (typeof PARTS)[0]];
  assert.match(render([shown, last]), /Part 1 of 2 in .*<nav class="series-end" aria-label="Series"><a class="next"/s);
  assert.match(render([first, shown]), /Part 2 of 2 in .*>One<\/span><\/a><\/nav>/s);
  assert.match(render([shown]), /Part 1 of 1 in /);
  assert.doesNotMatch(render([shown]), /series-end/);
  assert.doesNotMatch(render([first, last]), /series-end|series-head/);
});

test('the byline links to comments only if there are any, and states whether one is the answer', () => {
  const { discussion } = EVERYTHING;
  assert.ok(discussion);
  const empty = readMain(renderFull({ discussion: { ...discussion, count: 0, answer: null } }));
  assert.doesNotMatch(empty, /href="#comments"/);
  const unanswered = readMain(renderFull({ discussion: { ...discussion, count: 1, answer: null } }));
  assert.match(unanswered, / · <a class="nowrap" href="#comments">1 comment<\/a>/);
});
