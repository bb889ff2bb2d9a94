/** Tests the whole pages that list articles: the front page, an author's page, a series and their entries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ListPage,
  renderFollow,
  renderHomePage,
  renderListHead,
  renderListPage,
} from '../../../api/articles/listing/list-page.ts';
import { renderTeaser } from '../../../api/articles/listing/teaser.ts';
import { html } from '../../../api/web/html.ts';
import { buildCard, readHead, readMain, removeBlankLines } from './support/rendered.ts';

const HEAD = html`<meta name="given">`;
const FEEDS = `<p class="follow-feeds soft small">Follow as <a href="/authors/ada/feed.xml" type="application/rss+xml">RSS</a> · <a href="/authors/ada/atom.xml" type="application/atom+xml">Atom</a> · <a href="/authors/ada/feed.json" type="application/feed+json">JSON Feed</a></p>`;
const MASTHEAD =
  '<div class="masthead"><h1>Fresh from the repository</h1><p class="lede">Articles that their authors write in Markdown, published here and delivered to the sites where they are read.</p></div>';
const card = buildCard({ slug: 'a', title: 'A', tags: [] });
const teaser = renderTeaser(card, { level: 2 }).text;
const LIST = { title: 'Ada', description: 'Articles by Ada.', path: '/authors/ada' };
const PROFILE = {
  ...{ name: 'Ada', username: 'ada', bio: 'Writes.', pictureUrl: null, articleCount: 1, followerCount: 2 },
  links: ['https://www.ada.example/', 'http://b.example/x/'],
} as NonNullable<ListPage['profile']>;

const renderList = (parts: Partial<ListPage>) =>
  renderListPage({ list: LIST, entries: [], isOrdered: false, profile: undefined, olderPath: null, ...parts }, HEAD);

test('a teaser shows the title, excerpt, byline and tags of an article in its language', () => {
  assert.equal(
    removeBlankLines(renderTeaser(buildCard(), { level: 2, isLead: true }).text),
    `<article class="teaser lead">
<div class="teaser-text"><h2 lang="ar" dir="rtl"><a href="/gr%C3%B6%C3%9Fe">On &lt;size&gt;</a></h2>
<p class="teaser-excerpt" lang="ar" dir="rtl">What fits.</p>
<p class="byline"><a href="/authors/ada" rel="author" dir="auto">Ada &amp; Co</a> · <time datetime="2026-11-20T10:00:00.000Z">November 20, 2026</time> · <span class="nowrap">3 min read</span></p><ul class="tags"><li dir="auto"><a href="/tags/c%23" rel="tag">#c#</a></li><li dir="auto">#..</li></ul></div>
</article>`,
  );
});

test('a teaser has a cover, and omits what is unknown', () => {
  const parts = { coverImage: 'https://x.example/c.png', language: null, readingTimeMinutes: null, excerpt: '' };
  const shown = buildCard({ ...parts, tags: [] });
  const byline = `<p class="byline"><a href="/authors/ada" rel="author" dir="auto">Ada &amp; Co</a> · <time datetime="2026-11-20T10:00:00.000Z">November 20, 2026</time></p></div>
</article>`;
  assert.equal(
    removeBlankLines(renderTeaser(shown, { level: 2, isLead: true }).text),
    `<article class="teaser lead covered">
<a class="teaser-cover" href="/gr%C3%B6%C3%9Fe" tabindex="-1" aria-hidden="true"><img src="https://x.example/c.png" alt="" width="1600" height="1000" fetchpriority="high" decoding="async"></a>
<div class="teaser-text"><h2 lang="" dir="auto"><a href="/gr%C3%B6%C3%9Fe">On &lt;size&gt;</a></h2>
${byline}`,
  );
  assert.equal(
    removeBlankLines(renderTeaser(shown, { level: 3, snippet: html`the <mark>match</mark>` }).text),
    `<article class="teaser covered">
<a class="teaser-cover" href="/gr%C3%B6%C3%9Fe" tabindex="-1" aria-hidden="true"><img src="https://x.example/c.png" alt="" width="1600" height="1000" loading="lazy" decoding="async"></a>
<div class="teaser-text"><h3 lang="" dir="auto"><a href="/gr%C3%B6%C3%9Fe">On &lt;size&gt;</a></h3>
<p class="teaser-excerpt" lang="" dir="auto">the <mark>match</mark></p>
${byline}`,
  );
});

test('the page of an empty list has its title, description and feeds', () => {
  const page = renderList({});
  assert.equal(
    readHead(page),
    '<title>Ada · Courant</title>\n<meta name="description" content="Articles by Ada.">\n<meta name="given">',
  );
  assert.equal(
    readMain(page),
    `<main id="main" class="wide"><div class="list-head"><h1 dir="auto">Ada</h1><p class="lede" dir="auto">Articles by Ada.</p></div>
<div class="single"><p class="lede">Nothing is published yet.</p>
${FEEDS}</div></main>`,
  );
});

test('the page of an author has a profile, the articles and a link to older ones', () => {
  const forms =
    '<div class="take-part"><form class="follow" method="post" action="/people/ada/follow" data-act="follow"><button class="button compact">Follow</button></form><form class="subscribe" method="post" action="/people/ada/subscribe" data-act="subscribe"><input type="email" name="email" value="" aria-label="Your e-mail address, for the newsletter" placeholder="you@example.org" autocomplete="email" required maxlength="254"><button class="button compact">Subscribe<span class="sr-only"> to the newsletter</span></button></form></div></div></div>';
  const page = renderList({ entries: [card, card], profile: PROFILE, olderPath: '/archive?author=ada' });
  assert.match(readHead(page), /<meta name="description" content="Writes.">/);
  assert.equal(
    readMain(page),
    removeBlankLines(`<main id="main" class="wide"><div class="profile" data-viewer="/people/ada/viewer"><span class="avatar large" aria-hidden="true">A</span><div><h1 dir="auto">Ada</h1>
<p class="soft">@ada · 1 article · <span class="nowrap" data-followers="2">2 followers</span></p>
<p class="bio" dir="auto">Writes.</p>
<ul class="profile-links"><li><a href="https://www.ada.example/" rel="me nofollow noopener">ada.example</a></li><li><a href="http://b.example/x/" rel="me nofollow noopener">b.example/x</a></li></ul>
${forms}
<div class="single"><ul class="teasers"><li>${teaser}</li><li>${teaser}</li></ul>
<p><a href="/archive?author=ada">Older articles</a></p>
${FEEDS}</div></main>`),
  );
  const brief = renderList({ profile: { ...PROFILE, bio: '', links: [], articleCount: 2 } });
  assert.match(readHead(brief), /<meta name="description" content="Articles by Ada.">/);
  assert.ok(
    readMain(
      brief,
    ).includes(`<p class="soft">@ada · 2 articles · <span class="nowrap" data-followers="2">2 followers</span></p>
${forms}`),
  );
});

test('the page of a series numbers its parts', () => {
  const main = readMain(renderList({ entries: [card], isOrdered: true }));
  assert.ok(main.includes(removeBlankLines(`<ol class="teasers parts"><li>${teaser}</li></ol>`)));
});

test('the head of a list has its links and, on the front page, structured data', () => {
  const links = [{ rel: 'canonical', href: 'https://x.example/' }] as const;
  const link = '<link rel="canonical" href="https://x.example/">\n';
  assert.equal(renderListHead(links).text, link);
  assert.equal(
    renderListHead(links, { '@context': 'https://schema.org' }).text,
    `${link}<script type="application/ld+json">{"@context":"https://schema.org"}</script>`,
  );
});

const SITE = { title: 'Courant', description: 'Articles.', path: '/' };
const renderHome = (home: Partial<Parameters<typeof renderHomePage>[1]>) =>
  renderHomePage(SITE, { newest: [], busy: { tags: ['a'], authors: [] }, roundup: null, ...home }, HEAD);
const siteFeeds = renderFollow('/').text;

test('the front page of a new site says what it is, and the next step of readers, authors and the operator', () => {
  const page = renderHome({});
  assert.equal(
    readHead(page),
    '<title>Courant</title>\n<meta name="description" content="Articles.">\n<meta name="given">',
  );
  const main = readMain(page);
  assert.match(
    main,
    /<h1>Nothing is published yet<\/h1><p class="lede">Here, authors publish articles .* to DEV, Hash/,
  );
  const steps = [...main.matchAll(/<section[^>]*><h2 class="rule">([^<]+)<\/h2>(.*?)<\/section>/gs)];
  assert.deepEqual(
    steps.map(([, reader, step = '']) => [reader, ...[...step.matchAll(/href="([^"]+)"/g)].map(([, path]) => path)]),
    [
      ['You are new here', '/register', '/login'],
      ['You have an account', '/desk/write'],
      ['You run this site', '/desk'],
    ],
  );
  assert.match(main, /<code>npm run admin -- make-operator you@example\.org<\/code>/);
  assert.match(page, /<a href="\/" aria-current="page">Latest<\/a>/);
});

test('the front page shows the newest article first and largest', () => {
  const lead = renderTeaser(card, { level: 2, isLead: true }).text;
  const frame = (latest: string, aside: string) =>
    removeBlankLines(`<main id="main" class="wide">${MASTHEAD}${lead}
<div class="columns"><section aria-labelledby="latest"><h2 id="latest" class="rule">Latest</h2>
${latest}
<p><a href="/archive">All articles</a></p></section>
<aside aria-label="More to read">${aside}${siteFeeds}</aside></div></main>`);
  const single = { newest: [card], busy: { tags: ['..'], authors: [] }, roundup: { week: '2026-W47', entries: [] } };
  assert.equal(readMain(renderHome(single)), frame('<p class="soft">No other articles yet.</p>', ''));

  const entries = [1, 2, 3, 4, 5, 6].map((number) => ({
    ...{ slug: `f ${number}`, title: `Featured ${number}`, excerpt: '', authorName: 'Bo', authorUsername: 'bo' },
  }));
  const other = { ...card, slug: 'b' };
  const authors = [{ name: 'Bo', username: 'bo', pictureUrl: null, articles: 3 }];
  const page = renderHome({
    ...{ newest: [card, other], roundup: { week: '2026-W47', entries } },
    busy: { tags: ['a b', '..'], authors },
  });
  const featured = entries
    .slice(0, 5)
    .map(
      ({ title }, index) =>
        `<li><a href="/f%20${index + 1}" dir="auto">${title}</a> <span class="soft small" dir="auto">Bo</span></li>`,
    );
  assert.equal(
    readMain(page),
    frame(
      `<ul class="teasers"><li>${renderTeaser(other, { level: 3 }).text}</li></ul>`,
      `<section><h2 class="rule">Featured this week</h2><ol class="ranked">${featured.join('')}</ol>
<p class="small"><a href="/roundup/2026-W47">Roundup of week 47, 2026</a></p></section><section><h2 class="rule">Topics</h2><ul class="chips"><li><a href="/tags/a%20b" dir="auto">a b</a></li></ul></section><section><h2 class="rule">Writers</h2><ul class="people"><li><span class="avatar small" aria-hidden="true">B</span><a href="/authors/bo" dir="auto">Bo</a></li></ul></section>`,
    ),
  );
});
