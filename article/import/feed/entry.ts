/** What a feed says of one of its entries, in whichever format, before it is a post. */
import { readPlainText } from '../html/plain-text.ts';
import { hashId, shortenId } from '../short-id.ts';
import type { SourceBody, SourcePost } from '../source-post.ts';

export interface FeedEntry {
  /** `guid`, `id`, `rdf:about`. */
  id: string | null;
  url: string | null;
  /** Where it says that the original is. */
  canonical: string | null;
  title: { text: string; isHtml: boolean } | null;
  /** HTML, whole. */
  content: string | null;
  /** HTML: an abstract, or all that there is. */
  summary: string | null;
  /** In JSON Feed the text may be plain. */
  plain: string | null;
  base: string | null;
  tags: string[];
  image: string | null;
  language: string | null;
  publishedAt: string | null;
  updatedAt: string | null;
}

export interface EntryKind {
  format: 'html' | 'medium';
  /** Where the feed was found. */
  feedUrl: string;
}

const LONGEST_EXCERPT = 1_000;
const CUT_OFF = /(?:\[?(?:\.{3}|…)\]?|continue reading.{0,40}|read more.{0,20})\s*$/i;

/** Null where there is nothing in it that could be imported: neither a title nor a text. */
export function readEntry(given: FeedEntry, { format, feedUrl }: EntryKind): SourcePost | null {
  const named = readAddress(given.base, feedUrl);
  const url = readAddress(given.url ?? given.id, named ?? feedUrl);
  // Without a base of their own, the addresses in a text are those of its page.
  const entry = { ...given, base: named ?? url ?? feedUrl };
  const title = entry.title === null ? '' : entry.title.isHtml ? readPlainText(entry.title.text) : entry.title.text;
  const body = readBody(entry, format);
  if (title.trim() === '' && body.text.trim() === '') return null;
  const summary = entry.content === null || entry.summary === null ? '' : readPlainText(entry.summary);
  const isAbstract = summary !== '' && summary.length <= LONGEST_EXCERPT && !CUT_OFF.test(summary);
  const name = entry.id?.trim() || url;
  return {
    // What names itself by nothing is known by what it says.
    remoteId: name ? shortenId(name) : hashId(title + body.text),
    url,
    title,
    subtitle: null,
    excerpt: isAbstract ? summary : null,
    tags: entry.tags,
    slug: url === null ? null : readSlug(url),
    canonicalUrl: readAddress(entry.canonical, entry.base),
    coverImage: readAddress(entry.image, entry.base),
    series: null,
    language: entry.language,
    publishedAt: readTime(entry.publishedAt) ?? readTime(entry.updatedAt),
    updatedAt: readTime(entry.updatedAt),
    body,
  };
}

function readBody(entry: FeedEntry, format: EntryKind['format']): SourceBody {
  const { base } = entry;
  if (entry.content !== null) return { format, text: entry.content, base, isExcerpt: false };
  if (entry.plain !== null) return { format: 'text', text: entry.plain, base, isExcerpt: false };
  const text = entry.summary ?? '';
  // Many feeds have the whole text where others have an abstract; only an ellipsis at its end tells.
  return { format, text, base, isExcerpt: format === 'medium' || CUT_OFF.test(readPlainText(text)) };
}

/** Absolute and of the web; null for anything else. */
export function readAddress(address: string | null, base: string | null): string | null {
  const text = address?.trim() ?? '';
  if (text === '' || text.length > 2_000) return null;
  const url = URL.parse(text, base ?? undefined);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url.href : null;
}

/** The last part of an address, without the ending of a file. Null where it is no name that an author would choose. */
function readSlug(url: string): string | null {
  const { pathname } = new URL(url);
  const last = decodePart(
    pathname
      .replace(/\/(?:index\.\w{2,5})?$/, '')
      .split('/')
      .pop() ?? '',
  );
  const name = last.replace(/\.(?:html?|php|aspx?|md)$/i, '');
  return /^[\p{L}\p{N}][\p{L}\p{N}\p{M}_-]{2,149}$/u.test(name) && /\p{L}{2}/u.test(name) ? name : null;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A percent sign that escapes nothing.
    return part;
  }
}

/** Null where it is no time, or none of our era. */
export function readTime(text: string | null): string | null {
  const at = text === null ? Number.NaN : Date.parse(text.trim().slice(0, 100));
  return at > 0 && at < Date.UTC(10_000, 0) ? new Date(at).toISOString() : null;
}
