/**
 * The frame of the pages that everybody reads. They are the same for all: the script adds what a signed-in reader sees beyond. Style and script stand in
 * the page, so that it is drawn with what arrives first.
 */
import { codeColours } from '../../article/render/code-colours.ts';
import { getBuiltFile } from '../web/built-files.ts';
import { hashSource } from '../web/hash-source.ts';
import { type Head, renderHead } from './head.ts';
import { type Html, html, trustHtml } from './html.ts';

export interface PageHead extends Head {
  /** `text` is one column of a width worth reading; `wide` is for lists beside each other. */
  width?: 'text' | 'wide';
  /** What its reader came for, among the entries of the header. */
  current?: 'latest' | 'archive' | 'roundup' | 'account';
}

const STYLE = getBuiltFile('site.css').text + codeColours;
const SCRIPT = getBuiltFile('site.js');

/** Nothing else runs or is loaded, even if the sanitiser missed it. Images may come from anywhere, since articles show them. */
export const PAGE_POLICY = [
  "default-src 'none'",
  'img-src * data:',
  `style-src ${hashSource(STYLE)}`,
  `script-src ${SCRIPT.source}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export function renderPage({ width = 'text', current, ...page }: PageHead, body: Html): string {
  return html`${renderHead(page, html`<style>${trustHtml(STYLE)}</style>`)}<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="site-header"><div>
<a class="wordmark" href="/">Courant</a>
<nav class="site-nav" aria-label="Site">${ENTRIES.map(
    ({ name, path, text }) =>
      html`<a href="${path}"${name === current ? html` aria-current="page"` : null}>${text}</a>`,
  )}</nav>
<a class="agents" href="/llms.txt" type="text/markdown">llms.txt</a>
<form class="site-search" action="/search" role="search" aria-label="Site"><input type="search" name="q" aria-label="Search articles" placeholder="Search" required></form>
<div class="site-account"><a href="/login"${current === 'account' ? html` aria-current="page"` : null}>Sign in</a></div>
</div></header>
<main id="main" class="${width}">${body}</main>
<footer class="site-footer"><div>
<span>Written in Markdown, published with Courant.</span>
<nav aria-label="More"><a href="/feed.xml" type="application/rss+xml">RSS</a><a href="/sitemap.xml">Sitemap</a></nav>
</div></footer>
<script>${trustHtml(SCRIPT.text)}</script>
</body>
</html>
`.text;
}

const ENTRIES = [
  { name: 'latest', path: '/', text: 'Latest' },
  { name: 'archive', path: '/archive', text: 'Archive' },
  { name: 'roundup', path: '/roundup', text: 'Roundup' },
] as const;
