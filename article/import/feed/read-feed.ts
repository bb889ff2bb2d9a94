/** Reads a feed: RSS 0.9x to 2.0, RDF, Atom and JSON Feed. */
import { parseFeed } from 'feedsmith';
import type { ImportRefusalCode } from '../refusal-codes.ts';
import { type SourcePost, shortenId } from '../source-post.ts';
import { decodeFeed } from './decode-feed.ts';
import { readEntry, readFeedAddress } from './entry.ts';
import { type ListedEntries, listAtomEntries, listJsonEntries, listRssEntries } from './formats.ts';

export interface ImportedFeed {
  posts: SourcePost[];
  emptyEntries: number;
  isGuessed: boolean;
  /** The address of earlier entries (RFC 5005; `next_url` of JSON Feed). */
  earlier: string | null;
}

export type FeedResult = { ok: true; feed: ImportedFeed } | { ok: false; code: ImportRefusalCode; reason: string };

export interface FeedBytes {
  bytes: Uint8Array;
  /** The Content-Type of the response; empty without one. */
  contentType: string;
  /** The address of the feed, against which addresses resolve if the feed declares no base. */
  url: string;
  /** Medium's feed: an entry without a complete text is only an excerpt. */
  isMedium?: boolean;
}

/** Never throws because of a feed's contents. Has no time limit. */
export function readFeed({ bytes, contentType, url, isMedium = false }: FeedBytes): FeedResult {
  const decoded = decodeFeed(bytes, contentType);
  const text = decoded.text.replace(DOCTYPE, '$1').trim();
  if (text === '') return refuse('feed_empty', 'The feed is empty.');
  let listed: ListedEntries;
  try {
    listed = listEntries(text);
  } catch (error) {
    return explainParseError(error, text);
  }
  const kind = { format: isMedium ? 'medium' : 'html', feedUrl: url } as const;
  const found = listed.entries.map((entry) => readEntry(entry, kind));
  const posts = separateRepeatedIds(found.filter((post) => post !== null)).sort(compareTimes);
  const emptyEntries = found.length - posts.length;
  const { isGuessed } = decoded;
  return { ok: true, feed: { posts, emptyEntries, isGuessed, earlier: readFeedAddress(listed.earlier, url) } };
}

/**
 * The document type before the root element. Its entities could read files, call addresses or grow
 * without limit, and no feed needs it. The lookahead makes each comment before it atomic.
 */
const DOCTYPE =
  /^(\s*(?:(?=(<\?[\s\S]*?\?>|<!--[\s\S]*?-->))\2\s*)*)<!doctype(?:"[^"]*"|'[^']*'|\[(?:"[^"]*"|'[^']*'|[^\]"']+){0,1000}\]?|[^>"'[]+){0,100}(?:>|[\s\S]*$)/i;

function listEntries(text: string): ListedEntries {
  const { format, feed } = parseFeed(text);
  if (format === 'atom') return listAtomEntries(feed);
  return format === 'json' ? listJsonEntries(feed) : listRssEntries(feed);
}

/** Entries with one id and different addresses are different posts of a feed that repeats ids. */
function separateRepeatedIds(posts: SourcePost[]): SourcePost[] {
  const seen = new Map<string, string | null>();
  return posts.map((post) => {
    const { remoteId, url } = post;
    if (!seen.has(remoteId)) {
      seen.set(remoteId, url);
      return post;
    }
    return url === null || seen.get(remoteId) === url ? post : { ...post, remoteId: shortenId(`${remoteId} ${url}`) };
  });
}

/** Newest first. Posts without a time follow, in the order of the feed. */
function compareTimes(left: SourcePost, right: SourcePost): number {
  return Date.parse(right.publishedAt ?? '1970-01-01') - Date.parse(left.publishedAt ?? '1970-01-01');
}

function explainParseError(error: unknown, text: string): FeedResult {
  const message = error instanceof Error ? error.message : '';
  if (/^\s*(?:<!--[\s\S]*?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i.test(text.slice(0, 2_000))) {
    return refuse('feed_is_page', 'It is a web page, not a feed. Enter the address of the feed itself.');
  }
  if (/^[<{[]/.test(text)) {
    const description = text.startsWith('<') ? 'XML in an unknown format, or damaged' : 'JSON, but not a JSON Feed';
    return refuse('feed_unreadable', `It is ${description}${message === '' ? '' : ` (${message})`}.`);
  }
  return refuse('feed_unreadable', 'It is not RSS, RDF, Atom or JSON Feed.');
}

function refuse(code: ImportRefusalCode, reason: string): FeedResult {
  return { ok: false, code, reason };
}
