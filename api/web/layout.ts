/**
 * The frame of public pages, the same for all readers; the script adds the parts for signed-in
 * readers. Styles are inline for the first paint, and the script is last. So an article fits into
 * the 14 KB that a server sends before the first acknowledgement.
 */
import { createHash } from 'node:crypto';
import { codeColours } from '../../article/render/code/code-colours.ts';
import { getBuiltFile } from './assets/built-files.ts';
import { type Head, renderHead } from './head.ts';
import { type Html, html, trustHtml } from './html.ts';

export interface PageHead extends Head {
  /** `text` is one readable column; `wide` is for lists side by side. */
  width?: 'text' | 'wide';
  /** The current entry of the header. */
  current?: 'latest' | 'archive' | 'roundup' | 'account';
}

const STYLE = getBuiltFile('site.css').text + codeColours;
/**
 * Loads the script. The policy allows this inline loader by hash, which some browsers do not
 * support for linked scripts, and trusts what it loads (`strict-dynamic`).
 */
const LOADER = getBuiltFile('early.js').text;
const SCRIPT = getBuiltFile('site.js').path;

/** Nothing else runs or loads, even if the sanitiser missed it. Images may come from anywhere. */
export const PAGE_POLICY = [
  "default-src 'none'",
  'img-src * data:',
  `style-src ${hashSource(STYLE)}`,
  `script-src ${hashSource(LOADER)} 'strict-dynamic'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The hidden link is for agents that read HTML. It is at the top, because many read only the
 * beginning of a page.
 */
export function renderPage({ width = 'text', current, ...page }: PageHead, body: Html): string {
  return html`${renderHead(page, html`<style>${trustHtml(STYLE)}</style>`)}<body>
<a class="skip" href="#main">Skip to content</a>
<a href="/llms.txt" type="text/markdown" hidden>llms.txt</a>
<header class="site-header"><div>
<a class="wordmark" href="/">Courant</a>
<nav class="site-nav" aria-label="Site">${ENTRIES.map(
    ({ name, path, text }) =>
      html`<a href="${path}"${name === current ? html` aria-current="page"` : null}>${text}</a>`,
  )}</nav>
<form class="site-search" action="/search" role="search" aria-label="Site"><input type="search" name="q" aria-label="Search articles" placeholder="Search" required></form>
<div class="site-account"><a href="/login"${current === 'account' ? html` aria-current="page"` : null}>Sign in</a></div>
</div></header>
<main id="main" class="${width}">${body}</main>
<footer class="site-footer"><div>
<span>Written in Markdown, published with Courant.</span>
<nav aria-label="More"><a href="/about">About</a><a href="/feed.xml" type="application/rss+xml">RSS</a><a href="/sitemap.xml">Sitemap</a><a href="/llms.txt" type="text/markdown">llms.txt</a></nav>
</div></footer>
<script data-src="${SCRIPT}">${trustHtml(LOADER)}</script>
</body>
</html>
`.text;
}

const ENTRIES = [
  { name: 'latest', path: '/', text: 'Latest' },
  { name: 'archive', path: '/archive', text: 'Archive' },
  { name: 'roundup', path: '/roundup', text: 'Roundup' },
] as const;

/** A Content-Security-Policy source that allows an inline element with exactly this text. */
function hashSource(text: string): `'sha256-${string}'` {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
