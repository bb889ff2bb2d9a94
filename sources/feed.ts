/** Imports a blog by its feed: the newest posts; some continue elsewhere (RFC 5005). */
import type { Cursor, SourceNotice } from '../article/import/import-address.ts';
import { shortenId } from '../article/import/source-post.ts';
import { parseRetryAfter } from '../destinations/http/retry-after.ts';
import { refuseSource, requestSource, retryLater, type SourceResponse } from './fetch.ts';
import { readUrl } from './identifier.ts';
import type { Source, SourceContext, SourcePage, SourceResult } from './types.ts';

const MAX_FEED_BYTES = 16 * 1024 * 1024;
const MAX_PAGES = 100;
const ACCEPT = 'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5';

export const feedSource: Source = {
  label: 'RSS',
  intervalMs: 500,
  readPlace(identifier) {
    const url = readUrl(identifier);
    if (url === null) return { problem: 'Enter the address of a feed, such as https://example.org/feed.xml.' };
    // Includes the path, because two feeds of one host may both number posts from 1. After a feed
    // moves, its posts are matched by their addresses.
    return { baseUrl: url.href, name: '', origin: shortenId(`${url.host}${url.pathname}${url.search}`) };
  },
  list: ({ baseUrl }, cursor, context) => listFeed(baseUrl, cursor, context, { name: 'The feed', isMedium: false }),
};

export interface FeedKind {
  /** For use in a sentence: "The feed". */
  name: string;
  isMedium: boolean;
}

export async function listFeed(
  start: string,
  cursor: Cursor,
  context: SourceContext,
  { name, isMedium }: FeedKind,
): Promise<SourceResult<SourcePage>> {
  const url = cursor.url ?? start;
  const request = { method: 'GET', url, headers: { accept: ACCEPT }, maxBytes: MAX_FEED_BYTES, name } as const;
  const answer = await requestSource(request, context);
  if (answer.kind !== 'done') return answer;
  const refusal = refuseAnswer(answer.value, name, context);
  if (refusal) return refusal;
  const { bytes, headers } = answer.value;
  const contentType = headers['content-type'] ?? '';
  const reading = await context.readFeed({ bytes, contentType, url: answer.value.url, isMedium });
  if (!reading.ok) return refuseSource(reading.code, reading.reason);
  const { posts, emptyEntries, isGuessed, earlier } = reading.feed;
  const notices: SourceNotice[] = [];
  if (emptyEntries > 0) {
    notices.push({
      code: 'empty_entries',
      message: `${emptyEntries} entries have neither title nor text and were left out.`,
    });
  }
  if (isGuessed) {
    const message = 'The feed declares no usable encoding; non-English letters may be wrong.';
    notices.push({ code: 'encoding_guessed', message });
  }
  const next = readNext(cursor, { url, earlier });
  if (next === 'too many') {
    notices.push({
      code: 'feed_too_long',
      message: `The feed has more than ${MAX_PAGES} pages; later pages were not read.`,
    });
  }
  const listed = posts.map((post) => ({ post, hasBody: true, account: null }));
  return { kind: 'done', value: { posts: listed, next: next === 'too many' ? null : next, notices } };
}

/** A page that was already read ends the feed, so that a cycle ends. */
function readNext(
  cursor: Cursor,
  { url, earlier }: { url: string; earlier: string | null },
): Cursor | null | 'too many' {
  const seen = [...(cursor.seen ?? []), url];
  if (earlier === null || seen.includes(earlier)) return null;
  return seen.length >= MAX_PAGES ? 'too many' : { page: cursor.page + 1, url: earlier, seen };
}

function refuseAnswer(
  { status, headers }: SourceResponse,
  name: string,
  { now }: SourceContext,
): SourceResult<never> | null {
  if (status === 200) return null;
  const retryAfterMs = parseRetryAfter(headers['retry-after'], now());
  if (status === 408 || status === 425) return retryLater(`${name} is unavailable (HTTP ${status}).`, retryAfterMs);
  const reason = status === 404 || status === 410 ? 'There is no feed at this address' : `${name} is not accessible`;
  return refuseSource(status === 404 || status === 410 ? 'not_found' : 'source_refused', `${reason} (HTTP ${status}).`);
}
