/** Looks for the author's own post of an article on a site. */
import { isWebAddress } from '../format/web-address.ts';
import type { HttpAnswer } from '../http/exchange.ts';
import { readField, readText } from '../http/read-field.ts';
import { searchListing } from '../posts/search-listing.ts';
import type { Connection, LookUp, Outcome, RemotePost } from '../types.ts';
import type { WordPressCaller, WordPressRequest } from './call.ts';
import { hasMarker, listSearchWords } from './html/marker.ts';
import { LABEL } from './limits.ts';
import { listSlugs } from './ownership.ts';
import { POST_FIELDS, readPost } from './posts.ts';
import { findUserId } from './user.ts';

const LISTING_MAX_BYTES = 32 * 1024 * 1024;

/**
 * Searches by slug first, whose answer no search plugin can change, then by the marker in the text; in both cases the marker decides, and
 * only posts of this user are looked through: another author of the site may have published the same original. Posts in the trash do not
 * count: their author threw them away.
 */
export async function findPost(
  caller: WordPressCaller,
  connection: Connection,
  article: LookUp & { except?: ReadonlySet<string> },
): Promise<Outcome<RemotePost | null>> {
  const { canonicalUrl, slug, except } = article;
  // Such an article is refused before it is sent, so nothing of it is there.
  if (!isWebAddress(canonicalUrl)) return { kind: 'done', value: null };
  const user = await findUserId(caller, connection);
  if (user.kind !== 'done') return user;
  const author = String(user.value);
  const search = listSearchWords(canonicalUrl);
  for (const filter of [{ slug: listSlugs(slug).join(',') }, { search, search_columns: 'post_content' }]) {
    const found = await findAmong(caller, { ...filter, author }, { canonicalUrl, except });
    if (found.kind !== 'done' || found.value !== null) return found;
  }
  return { kind: 'done', value: null };
}

function findAmong(
  caller: WordPressCaller,
  filter: Record<string, string>,
  { canonicalUrl, except }: { canonicalUrl: string; except: ReadonlySet<string> | undefined },
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
    except,
    isLast,
  });
}

/**
 * A page lacks the posts that the user may not edit, so neither a short nor an empty one is the last: the site says how many there are.
 * Where something in between removed that header, an empty page ends the list.
 */
function isLast({ headers, json }: HttpAnswer, end: number, size: number): boolean {
  const pages = /^\d{1,9}$/.exec(headers['x-wp-totalpages'] ?? '')?.[0];
  return pages === undefined ? Array.isArray(json) && json.length === 0 : end >= Number(pages) * size;
}
