/** Reads a feed: RSS 0.9x to 2.0, RDF, Atom and JSON Feed. */
import { parseFeed } from 'feedsmith';
import { shortenId } from '../short-id.ts';
import type { SourcePost } from '../source-post.ts';
import { decodeFeed } from './decode-feed.ts';
import { dropDoctype } from './drop-doctype.ts';
import { readAddress, readEntry } from './entry.ts';
import { type Listed, listAtomEntries, listJsonEntries, listRdfEntries, listRssEntries } from './formats.ts';

export interface Feed {
  /** The newest first, where they say when they are from. */
  posts: SourcePost[];
  /** Entries with neither title nor text. */
  emptyEntries: number;
  /** See `DecodedFeed`. */
  isGuessed: boolean;
  /** Where the entries before these are (RFC 5005; `next_url` of JSON Feed). */
  earlier: string | null;
}

export type FeedReading = { ok: true; feed: Feed } | { ok: false; code: string; reason: string };

export interface FeedBytes {
  bytes: Uint8Array;
  /** Of the answer; empty where there was none. */
  contentType: string;
  /** Where it was found: what relative addresses stand for where the feed itself names no base. */
  url: string;
  /** Medium's feed: without a whole text, an entry is only a beginning. */
  isMedium?: boolean;
}

/** Never throws for what a feed holds. Has no time limit of its own. */
export function readFeed({ bytes, contentType, url, isMedium = false }: FeedBytes): FeedReading {
  const decoded = decodeFeed(bytes, contentType);
  const text = dropDoctype(decoded.text).trim();
  if (text === '') return refuse('feed_empty', 'The feed is empty.');
  let listed: Listed;
  try {
    listed = listEntries(text);
  } catch (error) {
    return explain(error, text);
  }
  const kind = { format: isMedium ? 'medium' : 'html', feedUrl: url } as const;
  const found = listed.entries.map((entry) => readEntry(entry, kind));
  const posts = separate(found.filter((post) => post !== null)).sort(compareTimes);
  const emptyEntries = found.length - posts.length;
  const { isGuessed } = decoded;
  return { ok: true, feed: { posts, emptyEntries, isGuessed, earlier: readAddress(listed.earlier, url) } };
}

function listEntries(text: string): Listed {
  const { format, feed } = parseFeed(text);
  if (format === 'rss') return listRssEntries(feed);
  if (format === 'atom') return listAtomEntries(feed);
  return format === 'rdf' ? listRdfEntries(feed) : listJsonEntries(feed);
}

/** Two entries of one id and different addresses are two posts of a feed that numbers badly. */
function separate(posts: SourcePost[]): SourcePost[] {
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

/** What has no time stays where the feed has it, behind what has one. */
function compareTimes(left: SourcePost, right: SourcePost): number {
  return Date.parse(right.publishedAt ?? '1970-01-01') - Date.parse(left.publishedAt ?? '1970-01-01');
}

function explain(error: unknown, text: string): FeedReading {
  const message = error instanceof Error ? error.message : '';
  if (/^\s*(?:<!--[\s\S]*?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i.test(text.slice(0, 2_000))) {
    return refuse('feed_is_page', 'It is a web page, not a feed. Give the address of the feed itself.');
  }
  if (/^[<{[]/.test(text)) {
    const what = text.startsWith('<')
      ? 'XML that no feed reader knows, or that is damaged'
      : 'JSON that is no JSON Feed';
    return refuse('feed_unreadable', `It is ${what}${message === '' ? '' : ` (${message})`}.`);
  }
  return refuse('feed_unreadable', 'It is neither RSS, RDF, Atom nor JSON Feed.');
}

function refuse(code: string, reason: string): FeedReading {
  return { ok: false, code, reason };
}
