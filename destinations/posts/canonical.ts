/**
 * Compares the canonical URL of a post with the one sent. Stricter than `normaliseCanonicalUrl`,
 * where a false match only updates an article and notifies its author. A false match here would
 * overwrite a post that its author wrote on the platform.
 */
import { cutTitle } from '../format/cut-title.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { readWebAddress } from '../format/web-address.ts';
import type { PostIdentity, RestoredAddresses } from '../types.ts';

interface Found {
  canonicalUrl: string | null | undefined;
  title: string | null | undefined;
}

/**
 * True if the post belongs to the article. After a restore from a backup, the stored slug may be
 * older than the post. Then a former address matches too, and so does the title as sent, if the
 * post's canonical URL is on this site and belongs to no other article: only this service writes
 * such posts.
 */
export function isArticle(
  post: Found,
  { canonicalUrl, title, restored }: PostIdentity & { restored?: RestoredAddresses },
  titleLength: number,
): boolean {
  const isOriginal = (url: string) => isSameCanonical(post.canonicalUrl, url);
  if (isOriginal(canonicalUrl)) return true;
  if (!restored) return false;
  if (restored.formerUrls.some(isOriginal)) return true;
  const sent = foldTitle(cutTitle(toPlainLine(title), titleLength, '').text);
  const hasTitle = sent !== '' && foldTitle(post.title ?? '') === sent;
  return hasTitle && isOfSite(post.canonicalUrl ?? '', restored.siteUrl) && !restored.otherUrls.some(isOriginal);
}

function foldTitle(title: string): string {
  return toPlainLine(title).normalize('NFC').toLowerCase();
}

function isOfSite(address: string, siteUrl: string): boolean {
  const site = buildKey(siteUrl)?.replace('?', '/') ?? '';
  return site !== '' && (buildKey(address)?.startsWith(site) ?? false);
}

/**
 * True if both name the same page. The protocol, the order of the query and unknown tracking
 * parameters (`fbclid`) count. Text that is not an http(s) URL equals nothing.
 * `test/destinations/posts/canonical.test.ts` pins the differences to `normaliseCanonicalUrl`.
 */
export function isSameCanonical(left: string | null | undefined, right: string | null | undefined): boolean {
  const key = left ? buildKey(left) : null;
  return key !== null && right != null && key === buildKey(right);
}

/**
 * The key by which two addresses of one page are equal. Platforms may return the host in another
 * case, with one more slash or with a campaign tag. Null if it is not an http(s) URL.
 */
function buildKey(address: string): string | null {
  const url = readWebAddress(address.trim());
  if (!url) return null;
  // Always serialised again, so that the remaining parameters are spelled alike.
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => !/^utm_/i.test(name)));
  // `host` excludes the fragment, user name and password.
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}?${query}`;
}
