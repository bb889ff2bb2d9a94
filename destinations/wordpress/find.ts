/** Searches a site for the author's own post of an article. */
import { isWebAddress } from '../format/web-address.ts';
import type { HttpResponse } from '../http/exchange.ts';
import { reject } from '../http/failures.ts';
import { readField, readText } from '../http/read-field.ts';
import { isArticle } from '../posts/canonical.ts';
import { searchListing } from '../posts/search-listing.ts';
import type { Outcome, PostQuery, RemotePost } from '../types.ts';
import type { WordPressCaller, WordPressRequest } from './call.ts';
import { unescapeAttribute } from './html/escape-text.ts';
import { listSearchWords, readMarker } from './html/marker.ts';
import { LABEL, limits } from './limits.ts';
import { listSlugs, POST_FIELDS, readPost } from './posts.ts';

const MAX_LISTING_BYTES = 32 * 1024 * 1024;

/**
 * Searches by slug first, because no search plugin can change that result, then by the marker in
 * the text. In both cases the marker decides. Only posts of this user count, because another author
 * may have published the same original. Posts in the trash do not count.
 */
export async function findPost(
  caller: WordPressCaller,
  userId: number,
  article: PostQuery,
): Promise<Outcome<RemotePost | null>> {
  // Such an article is refused before it is sent, so it has no post.
  if (!isWebAddress(article.canonicalUrl)) return { kind: 'done', value: null };
  const author = String(userId);
  for (const filter of listFilters(article)) {
    const found = await searchWithFilter(caller, { ...filter, author }, article);
    if (found.kind !== 'done' || found.value !== null) return found;
  }
  return { kind: 'done', value: null };
}

function listFilters({ canonicalUrl, slug, title, restored }: PostQuery): Record<string, string>[] {
  const byMarker = (url: string) => ({ search: listSearchWords(url), search_columns: 'post_content' });
  if (!restored) return [{ slug: listSlugs(slug).join(',') }, byMarker(canonicalUrl)];
  // Beyond nine words, WordPress searches for one phrase. Signs are stored as references.
  const words = title.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...restored.formerUrls.map(byMarker), { search: words.slice(0, 6).join(' '), search_columns: 'post_title' }];
}

async function searchWithFilter(
  caller: WordPressCaller,
  filter: Record<string, string>,
  article: PostQuery,
): Promise<Outcome<RemotePost | null>> {
  const fixed = { ...filter, status: 'any', context: 'edit' };
  const _fields = `${POST_FIELDS},title.raw,content.raw`;
  let shown = 0;
  let total = 0;
  const found = await searchListing<WordPressRequest>(caller, {
    label: LABEL,
    pageSizes: [20, 4, 1],
    maxPages: 200,
    buildRequest: (offset, size) => ({
      method: 'GET',
      route: '/wp/v2/posts',
      query: { ...fixed, per_page: String(size), offset: String(offset), _fields },
      maxBytes: MAX_LISTING_BYTES,
    }),
    isOurs(entry) {
      const title = unescapeAttribute(readText(entry, 'title', 'raw') ?? '');
      const canonicalUrl = readMarker(readText(entry, 'content', 'raw') ?? '');
      return isArticle({ canonicalUrl, title }, article, limits.titleLength);
    },
    isPublic: (entry) => readField(entry, 'status') === 'publish',
    readPost,
    excludedIds: article.excludedIds,
    isLast(answer, end, size) {
      shown += countEntries(answer);
      total = readCount(answer, 'x-wp-total') ?? 0;
      // If an intermediary removed the header, an empty page ends the list.
      const pages = readCount(answer, 'x-wp-totalpages');
      return pages === null ? countEntries(answer) === 0 : end >= pages * size;
    },
  });
  const isHidden = found.kind === 'done' && found.value === null && total > shown;
  return isHidden ? reject('posts_hidden', POSTS_HIDDEN) : found;
}

/** A page lacks posts that the user may not edit: the account lost a right. */
const POSTS_HIDDEN =
  'WordPress hides this account’s own published posts from it. An administrator must allow it to edit them: make it an author or editor.';

function countEntries({ json }: HttpResponse): number {
  return Array.isArray(json) ? json.length : 0;
}

function readCount({ headers }: HttpResponse, name: string): number | null {
  const value = headers[name] ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) : null;
}
