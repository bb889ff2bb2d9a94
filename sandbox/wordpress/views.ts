/** Builds a post's JSON and the page that readers see. */
import type { Json } from '../exchange.ts';
import { buildSiteUrl, type WordPressContext, type WordPressPost } from './context.ts';

/** As in the context `edit`, which is the only one that is requested. */
export function showPost(wordpress: WordPressContext, post: WordPressPost): Json {
  const site = buildSiteUrl(wordpress);
  const { id, account, content, excerpt, rawTitle, slug, status, createdAt, modifiedAt } = post;
  return {
    id: Number(id),
    date_gmt: formatGmt(createdAt),
    modified_gmt: formatGmt(modifiedAt),
    slug,
    status: status === 'published' ? 'publish' : status,
    author: wordpress.accounts[account.replace(/^.*\//, '')]?.id ?? 0,
    link: status === 'published' ? `${site}/${encodeURIComponent(slug)}/` : `${site}/?p=${id}`,
    title: { raw: rawTitle, rendered: rawTitle },
    content: { raw: content, rendered: renderContent(content) },
    excerpt: { raw: excerpt, rendered: `<p>${excerpt}</p>` },
    featured_media: post.featuredMedia,
    comment_status: post.commentStatus,
    tags: post.tags,
  };
}

/** Simulates core shortcodes, which run anywhere in the text, even in code and attributes. */
export function renderContent(content: string): string {
  const shortcode = /\[(gallery|caption|audio|video|playlist|embed)\b[^\]]*\]/g;
  return content.replace(shortcode, '<div>The shortcode $1 ran.</div>').replace(/<!-- \/?wp:.*? -->\n?/g, '');
}

/** The canonical URL in the last line of a post. */
export function findCanonical(content: string): string | null {
  const at = content.lastIndexOf('Originally published at');
  const href = at === -1 ? undefined : /href="([^"]{1,4096})"/.exec(content.slice(at, at + 8192))?.[1];
  return href === undefined ? null : decodeText(href);
}

/** Titles are stored as HTML. */
export function toPlainTitle(title: string): string {
  return decodeText(title.replace(/<[^<>]*>/g, ''));
}

/** Without an offset and without fractions. */
function formatGmt(iso: string): string {
  return iso.slice(0, 19);
}

function decodeText(html: string): string {
  const decoded = html.replace(/&#(\d{1,6});/g, (_all, code) => String.fromCodePoint(Math.min(Number(code), 0x10ffff)));
  return decoded.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
