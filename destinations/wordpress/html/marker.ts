/**
 * The line that closes every article on WordPress: it names the original to readers, because core has no field for a
 * canonical URL, and it is how a post is known again as ours.
 */
import { isSameCanonical } from '../../posts/canonical.ts';
import { escapeAttribute, escapeText, unescapeAttribute } from './escape-text.ts';

const OPENING = '<p class="courant-original">';
/** An address is never longer; nor is what stands around it. */
const LONGEST = 8192;

/** As a paragraph block. `canonicalUrl` is an http(s) URL. */
export function writeMarker(canonicalUrl: string): string {
  const { href } = new URL(canonicalUrl);
  const link = `<a href="${escapeAttribute(href)}">${escapeText(href)}</a>`;
  const paragraph = `${OPENING}Originally published at ${link}</p>`;
  return `<!-- wp:paragraph {"className":"courant-original"} -->\n${paragraph}\n<!-- /wp:paragraph -->`;
}

/** True where the stored content carries the marker of this article. The last one counts: a body cannot come after it. */
export function hasMarker(content: string, canonicalUrl: string): boolean {
  const start = content.lastIndexOf(OPENING);
  if (start === -1) return false;
  const href = /href="([^"]*)"/.exec(content.slice(start, start + LONGEST))?.[1];
  return href !== undefined && isSameCanonical(unescapeAttribute(href), canonicalUrl);
}

/**
 * What to search stored content for: words that stand in the marker whatever the spelling of the address asked for. The
 * search wants all of them, splits at spaces, commas and plus signs, and compares without regard to case.
 */
export function listSearchWords(canonicalUrl: string): string {
  const url = new URL(canonicalUrl);
  // As it is written: decoded, a name may stand nowhere in the stored address. A word that begins with a dash is one that
  // must not occur.
  const names = url.search
    .slice(1)
    .split('&')
    .map((part) => /^\w[\w.-]*/.exec(part)?.[0]);
  const query = names.find((name) => name !== undefined && !/^utm_/i.test(name));
  const words = [url.host + url.pathname.replace(/\/+$/, ''), ...(query === undefined ? [] : [query])];
  // From an ampersand or a bracket on, the address is stored as references; a prefix is enough to search for.
  return words.map((word) => word.split(/[&'"<>[\],+\s]/)[0]).join(' ');
}
