/**
 * The key under which articles with the same canonical URL meet. An article's own address is kept as `self:<slug>`, so
 * that a move of the site to another address joins and parts nothing.
 */
import { isSiteRoot, normaliseCanonicalUrl } from './canonical.ts';

/** Null for a site's root, which never matches. `baseUrl` is this site's address. */
export function canonicalKeyOf(url: string, baseUrl: string): string | null {
  if (isSiteRoot(url)) return null;
  const key = normaliseCanonicalUrl(url);
  const site = normaliseCanonicalUrl(baseUrl).replace(/\/$/, '');
  const path = key.startsWith(`${site}/`) ? key.slice(site.length + 1) : null;
  return path !== null && /^[^/?#]+$/.test(path) ? ownKey(decodePath(path)) : key;
}

export function ownKey(slug: string): string {
  return `self:${slug}`;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // Not a valid escape sequence, so no slug of ours: kept as it is, it matches nothing.
    return path;
  }
}
