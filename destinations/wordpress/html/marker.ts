/**
 * Writes and reads the line at the end of every article on WordPress. It shows readers the
 * original, because core has no field for a canonical URL. It also identifies a post as ours.
 */
import { escapeAttribute, escapeText, unescapeAttribute } from './escape-text.ts';

const OPENING = '<p class="courant-original">';
/** More than the longest address and its tags. */
const MAX_MARKER_CHARACTERS = 8192;

/** Written as a paragraph block. `canonicalUrl` is an http(s) URL. */
export function writeMarker(canonicalUrl: string): string {
  const { href } = new URL(canonicalUrl);
  const link = `<a href="${escapeAttribute(href)}">${escapeText(href)}</a>`;
  const paragraph = `${OPENING}Originally published at ${link}</p>`;
  return `<!-- wp:paragraph {"className":"courant-original"} -->\n${paragraph}\n<!-- /wp:paragraph -->`;
}

/** The canonical URL in the last marker, which comes after the body. Null without one. */
export function readMarker(content: string): string | null {
  const start = content.lastIndexOf(OPENING);
  if (start === -1) return null;
  const href = /href="([^"]*)"/.exec(content.slice(start, start + MAX_MARKER_CHARACTERS))?.[1];
  return href === undefined ? null : unescapeAttribute(href);
}

/** Words of every spelling's marker. WordPress splits them at spaces, commas and plus signs. */
export function listSearchWords(canonicalUrl: string): string {
  const url = new URL(canonicalUrl);
  // Not decoded, like the stored address. A leading dash would exclude the post.
  const names = url.search
    .slice(1)
    .split('&')
    .map((part) => /^\w[\w.-]*/.exec(part)?.[0]);
  const query = names.find((name) => name !== undefined && !/^utm_/i.test(name));
  const words = [url.host + url.pathname.replace(/\/+$/, ''), ...(query === undefined ? [] : [query])];
  // An ampersand or a bracket is stored as a reference; the part before it is enough.
  return words.map((word) => word.split(/[&'"<>[\],+\s]/)[0]).join(' ');
}
