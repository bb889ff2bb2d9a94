/**
 * Builds the key that articles with one canonical URL share: `self:<slug>` on this site, so that
 * its domain does not matter.
 */
import { decodeEscapes } from '../text/decode-escapes.ts';
import { isSiteRoot, normaliseCanonicalUrl } from './canonical.ts';

/** Null without a URL, and for a site root, which never matches. `baseUrl` is this site's. */
export function buildCanonicalKey(url: string | null, baseUrl: string): string | null {
  if (url === null || isSiteRoot(url)) return null;
  const key = normaliseCanonicalUrl(url);
  const site = normaliseCanonicalUrl(baseUrl).replace(/\/$/, '');
  const path = key.startsWith(`${site}/`) ? key.slice(site.length + 1) : null;
  return path !== null && /^[^/?#]+$/.test(path) ? buildOwnKey(decodeEscapes(path)) : key;
}

/** The key of the canonical URL, else of the article's address on this site. */
export function buildArticleKey(article: { canonicalUrl: string | null; slug: string }, baseUrl: string): string {
  return buildCanonicalKey(article.canonicalUrl, baseUrl) ?? buildOwnKey(article.slug);
}

function buildOwnKey(slug: string): string {
  return `self:${slug}`;
}
