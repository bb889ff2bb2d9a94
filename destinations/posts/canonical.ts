/**
 * Whether a post on a platform has the canonical URL that it was sent, which platforms may give back with another case of
 * the host, one more slash or a campaign tag.
 *
 * Stricter on purpose than `normaliseCanonicalUrl` in `article/identity/canonical.ts`, which decides whether two publishes are one
 * article. What is found here is adopted and later overwritten, so a false match destroys a post that somebody wrote by
 * hand; a false match there only updates an article, and its author is told. Hence here http and https, another order of
 * the query and unknown tracking parameters (`fbclid`) make another page, and a text that is no URL equals nothing.
 * `test/destinations/posts/canonical.test.ts` pins the differences.
 */
import { cutTitle } from '../format/cut-title.ts';
import { toPlainLine } from '../format/plain-line.ts';
import { readWebAddress } from '../format/web-address.ts';
import type { LookUp, RestoredAddresses } from '../types.ts';

interface Found {
  canonicalUrl: string | null | undefined;
  title: string | null | undefined;
}

/**
 * True where a post is the article's. After a restore the slug in the ledger may be older than the post: then the address of a former slug
 * counts too, and so does the article's title, as the platform was sent it, on a post that names a page of this site as its original. Only
 * this service makes such posts; one that names another article's page is that article's.
 */
export function isArticle(
  post: Found,
  { canonicalUrl, title, restored }: LookUp & { restored?: RestoredAddresses },
  titleLength: number,
): boolean {
  const names = (url: string) => isSameCanonical(post.canonicalUrl, url);
  if (names(canonicalUrl)) return true;
  if (!restored) return false;
  if (restored.formerUrls.some(names)) return true;
  const sent = foldTitle(cutTitle(toPlainLine(title), titleLength, '').text);
  const hasTitle = sent !== '' && foldTitle(post.title ?? '') === sent;
  return hasTitle && isOfSite(post.canonicalUrl ?? '', restored.siteUrl) && !restored.otherUrls.some(names);
}

function foldTitle(title: string): string {
  return toPlainLine(title).normalize('NFC').toLowerCase();
}

function isOfSite(address: string, siteUrl: string): boolean {
  const site = buildKey(siteUrl)?.replace('?', '/') ?? '';
  return site !== '' && (buildKey(address)?.startsWith(site) ?? false);
}

/** True where both name the same page. Something that is not an http(s) URL equals nothing. */
export function isSameCanonical(left: string | null | undefined, right: string | null | undefined): boolean {
  const key = left ? buildKey(left) : null;
  return key !== null && right != null && key === buildKey(right);
}

/** The form in which two addresses of one page are equal; null where it is no http(s) URL. */
function buildKey(address: string): string | null {
  const url = readWebAddress(address.trim());
  if (!url) return null;
  // Written anew whether something is taken out or not, so that what is left is spelled alike.
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => !/^utm_/i.test(name)));
  // `host` is without the fragment, user name and password.
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}?${query}`;
}
