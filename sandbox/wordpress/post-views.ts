/** Builds a post's JSON and the page that readers see. */
import type { WordPressContext } from '../context.ts';
import type { WordPressPost } from './records.ts';
import type { Json } from './responses.ts';

export function showPost(sandbox: WordPressContext, post: WordPressPost, context: 'view' | 'edit'): Json {
  const text = (raw: string, rendered: string) => (context === 'edit' ? { raw, rendered } : { rendered });
  return {
    id: Number(post.id),
    date_gmt: formatGmt(post.createdAt),
    modified: formatGmt(post.modifiedAt),
    modified_gmt: formatGmt(post.modifiedAt),
    slug: post.slug,
    status: post.status,
    type: 'post',
    author: sandbox.site.accounts[post.author]?.id ?? 0,
    link: buildLink(sandbox, post),
    title: text(post.title, post.title),
    content: { ...text(post.content, renderContent(post.content)), protected: false },
    excerpt: text(post.excerpt, `<p>${post.excerpt}</p>`),
    featured_media: post.featuredMedia,
    comment_status: post.commentStatus,
    categories: [1],
    tags: post.tags,
  };
}

/**
 * Simulates core shortcodes, which run anywhere in the stored text, even in code and attributes.
 */
export function renderContent(content: string): string {
  const expanded = content.replace(
    /\[(gallery|caption|audio|video|playlist|embed)\b[^\]]*\]/g,
    '<div>The shortcode $1 ran.</div>',
  );
  return expanded.replace(/<!-- \/?wp:.*? -->\n?/g, '');
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

function buildLink(sandbox: WordPressContext, post: WordPressPost): string {
  const site = `${sandbox.site.url()}`;
  return post.status === 'publish' ? `${site}/${encodeURIComponent(post.slug)}/` : `${site}/?p=${post.id}`;
}

/** Without an offset and without fractions. */
function formatGmt(iso: string): string {
  return iso.slice(0, 19);
}

function decodeText(html: string): string {
  const decoded = html.replace(/&#(\d{1,6});/g, (_all, code) => String.fromCodePoint(Math.min(Number(code), 0x10ffff)));
  return decoded.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
