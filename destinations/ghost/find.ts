/** Finds the author's post of an article by its canonical URL, in any spelling. */
import type { ApiRequest, Caller } from '../http/caller.ts';
import { readField } from '../http/read-field.ts';
import { isArticle } from '../posts/canonical.ts';
import { type ReadPage, searchPages } from '../posts/search-listing.ts';
import type { Outcome, PostQuery, RemotePost } from '../types.ts';
import { LABEL, limits, SLUG_LENGTH } from './limits.ts';
import { type GhostPost, hasSlug, POST_FIELDS, readPosts, toRemotePost } from './posts.ts';
import { listStoredSpellings, spellAddress } from './spell-address.ts';

/**
 * Ghost lists at most a hundred at once. The filter finds posts that we sent, at any age. The
 * listing finds canonical URLs in another spelling. Beyond the limit of pages the result is
 * unknown.
 */
const PAGE_SIZE = 100;
const MAX_PAGES = 100;
/** In characters before escaping. Servers accept URLs of a few thousand characters. */
const MAX_FILTER_CHARACTERS = 1500;

export async function findPost(
  caller: Caller<ApiRequest>,
  site: string,
  article: PostQuery,
): Promise<Outcome<RemotePost | null>> {
  if (!URL.canParse(article.canonicalUrl)) return { kind: 'done', value: null };
  if (!article.restored) {
    const filtered = await readPage(caller, article, { filter: buildFilter(article, site) });
    if (filtered.kind !== 'done') return filtered;
    if (filtered.value.found) return { kind: 'done', value: filtered.value.found };
  }
  // Posts that were imported together have the same time. The id fixes their order.
  const order = 'created_at desc,id desc';
  return searchPages(LABEL, MAX_PAGES, 1, (page) => readPage(caller, article, { page: String(page), order }));
}

function buildFilter({ canonicalUrl, slug }: PostQuery, site: string): string {
  const spellings = [...new Set(listStoredSpellings(canonicalUrl, site))].map(quote);
  const queried = spellings.join(',').length > MAX_FILTER_CHARACTERS ? spellings.slice(0, 1) : spellings;
  return `canonical_url:[${queried.join(',')}],slug:${quote(slug.slice(0, SLUG_LENGTH))}`;
}

function readPage(
  caller: Caller<ApiRequest>,
  article: PostQuery,
  query: Record<string, string>,
): Promise<Outcome<ReadPage<number>>> {
  const path = `/posts/?${new URLSearchParams({ ...query, limit: String(PAGE_SIZE), fields: POST_FIELDS })}`;
  return caller.call({ method: 'GET', path }, 'read', ({ json }) => {
    const posts = readPosts(json);
    const post = posts && choosePost(posts, article);
    const next = readField(json, 'meta', 'pagination', 'next');
    return posts && { found: post ? toRemotePost(post) : null, next: typeof next === 'number' ? next : null };
  });
}

/**
 * A post with our slug and another canonical URL is the author's own. A post only sent as an e-mail
 * has no page. Several articles may share our canonical URL: prefers our slug, then a public post.
 */
function choosePost(posts: GhostPost[], article: PostQuery): GhostPost | undefined {
  const { canonicalUrl, slug, excludedIds } = article;
  const storedSpelling = { ...article, canonicalUrl: spellAddress(canonicalUrl) };
  const ours = posts
    .filter((post) => [storedSpelling, article].some((query) => isArticle(post, query, limits.titleLength)))
    .filter(({ remoteId, status }) => status !== 'sent' && !excludedIds?.has(remoteId));
  const sentSlug = slug.slice(0, SLUG_LENGTH);
  const rank = (post: GhostPost) => Number(hasSlug(post, sentSlug)) * 2 + Number(post.status === 'published');
  return ours.sort((left, right) => rank(right) - rank(left))[0];
}

/** Quotes a string for Ghost's filter language. */
function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
