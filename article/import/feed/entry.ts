/** Converts one entry of a feed, in whichever format, to a post. */
import { decodeEscapes } from '../../text/decode-escapes.ts';
import { readPlainText } from '../html/close-source.ts';
import { hashId, type SourceBody, type SourcePost, shortenId } from '../source-post.ts';

export interface RawFeedEntry {
  id: string | null;
  url: string | null;
  /** The address that it declares for the original. */
  canonical: string | null;
  title: { text: string; isHtml: boolean } | null;
  content: string | null;
  /** HTML: an abstract, or the only text. */
  summary: string | null;
  /** Plain text, which JSON Feed allows. */
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
  feedUrl: string;
}

const MAX_EXCERPT_LENGTH = 1_000;
const CUT_OFF = /(?:\[?(?:\.{3}|…)\]?|continue reading.{0,40}|read more.{0,20})\s*$/i;

/** Null for an entry with neither a title nor a text. */
export function readEntry(raw: RawFeedEntry, { format, feedUrl }: EntryKind): SourcePost | null {
  const named = readFeedAddress(raw.base, feedUrl);
  const url = readFeedAddress(raw.url ?? raw.id, named ?? feedUrl);
  // Without a base, the addresses in a text are relative to its page.
  const entry = { ...raw, base: named ?? url ?? feedUrl };
  const title = entry.title === null ? '' : entry.title.isHtml ? readPlainText(entry.title.text) : entry.title.text;
  const body = readBody(entry, format);
  if (title.trim() === '' && body.text.trim() === '') return null;
  const summary = entry.content === null || entry.summary === null ? '' : readPlainText(entry.summary);
  const isAbstract = summary !== '' && summary.length <= MAX_EXCERPT_LENGTH && !CUT_OFF.test(summary);
  const name = entry.id?.trim() || url;
  return {
    // An entry without an id or an address is identified by its contents.
    remoteId: name ? shortenId(name) : hashId(title + body.text),
    url,
    title,
    subtitle: null,
    excerpt: isAbstract ? summary : null,
    tags: entry.tags,
    slug: url === null ? null : readSlug(url),
    canonicalUrl: readFeedAddress(entry.canonical, entry.base),
    coverImage: readFeedAddress(entry.image, entry.base),
    series: null,
    language: entry.language,
    publishedAt: readFeedTime(entry.publishedAt) ?? readFeedTime(entry.updatedAt),
    updatedAt: readFeedTime(entry.updatedAt),
    body,
  };
}

function readBody(entry: RawFeedEntry, format: EntryKind['format']): SourceBody {
  const { base } = entry;
  if (entry.content !== null) return { format, text: entry.content, base, isExcerpt: false };
  if (entry.plain !== null) return { format: 'text', text: entry.plain, base, isExcerpt: false };
  const text = entry.summary ?? '';
  // Many feeds have the complete text as their summary. Only an ellipsis at its end marks an
  // abstract.
  return { format, text, base, isExcerpt: format === 'medium' || CUT_OFF.test(readPlainText(text)) };
}

/** An absolute http(s) address without credentials; null for anything else. */
export function readFeedAddress(address: string | null, base: string | null): string | null {
  const text = address?.trim() ?? '';
  if (text === '' || text.length > 2_000) return null;
  const url = URL.parse(text, base ?? undefined);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url.href : null;
}

/** The last segment without a file extension. Null if it is no name that an author would choose. */
function readSlug(url: string): string | null {
  const path = new URL(url).pathname.replace(/\/(?:index\.\w{2,5})?$/, '');
  const name = decodeEscapes(path.slice(path.lastIndexOf('/') + 1)).replace(/\.(?:html?|php|aspx?|md)$/i, '');
  return /^[\p{L}\p{N}][\p{L}\p{N}\p{M}_-]{2,149}$/u.test(name) && /\p{L}{2}/u.test(name) ? name : null;
}

/** Null for text that is no time, and for times before 1970 or after 9999. */
export function readFeedTime(text: string | null): string | null {
  const at = text === null ? Number.NaN : Date.parse(text.trim().slice(0, 100));
  return at > 0 && at < Date.UTC(10_000, 0) ? new Date(at).toISOString() : null;
}
