/** Looks for the author's own post of an article on a site. */
import { readField, readText } from '../http/read-field.ts';
import { searchListing } from '../posts/search-listing.ts';
import type { Outcome, RemotePost } from '../types.ts';
import type { WordPressCaller, WordPressRequest } from './call.ts';
import { hasMarker, listSearchWords } from './html/marker.ts';
import { LABEL } from './limits.ts';
import { POST_FIELDS, readPost } from './posts.ts';

const LISTING_MAX_BYTES = 32 * 1024 * 1024;

/**
 * Searches by slug first, then by the marker in the text; in both cases the marker decides. Posts in the trash do not
 * count: their author threw them away.
 */
export async function findPost(
  caller: WordPressCaller,
  { canonicalUrl, slug }: { canonicalUrl: string; slug: string },
): Promise<Outcome<RemotePost | null>> {
  const bySlug = await findAmong(caller, { slug }, canonicalUrl);
  if (bySlug.kind !== 'done' || bySlug.value !== null) return bySlug;
  const search = listSearchWords(canonicalUrl);
  return findAmong(caller, { search, search_columns: 'post_content' }, canonicalUrl);
}

function findAmong(
  caller: WordPressCaller,
  filter: Record<string, string>,
  canonicalUrl: string,
): Promise<Outcome<RemotePost | null>> {
  const fixed = { ...filter, status: 'any', context: 'edit' };
  const _fields = `${POST_FIELDS},content.raw`;
  return searchListing<WordPressRequest>(caller, {
    label: LABEL,
    pageSizes: [20, 4, 1],
    mostPages: 200,
    buildRequest: (offset, size) => ({
      method: 'GET',
      route: '/wp/v2/posts',
      query: { ...fixed, per_page: String(size), offset: String(offset), _fields },
      maxBytes: LISTING_MAX_BYTES,
    }),
    isOurs: (entry) => hasMarker(readText(entry, 'content', 'raw') ?? '', canonicalUrl),
    isPublic: (entry) => readField(entry, 'status') === 'publish',
    readPost,
  });
}
