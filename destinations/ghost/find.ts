/** Finds the author's post of an article by its canonical URL, in any spelling. */
import { readField } from '../http/read-field.ts';
import { isArticle } from '../posts/canonical.ts';
import type { Outcome, PostQuery, RemotePost } from '../types.ts';
import type { GhostCaller } from './call.ts';
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

export async function findPost(caller: GhostCaller, article: PostQuery): Promise<Outcome<RemotePost | null>> {
  if (!URL.canParse(article.canonicalUrl)) return { kind: 'done', value: null };
  if (article.restored) return walkPosts(caller, article);
  const spellings = [...new Set(listStoredSpellings(article.canonicalUrl, caller.site))].map(quote);
  const queried = spellings.join(',').length > MAX_FILTER_CHARACTERS ? spellings.slice(0, 1) : spellings;
  const filter = `canonical_url:[${queried.join(',')}],slug:${quote(article.slug.slice(0, SLUG_LENGTH))}`;
  const filtered = await listPosts(caller, { filter, limit: String(PAGE_SIZE) });
  if (filtered.kind !== 'done') return filtered;
  const post = choosePost(filtered.value.posts, article);
  return post ? { kind: 'done', value: toRemotePost(post) } : walkPosts(caller, article);
}

async function walkPosts(caller: GhostCaller, article: PostQuery): Promise<Outcome<RemotePost | null>> {
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    // Posts that were imported together have the same time. Without the id, their order across
    // pages is not fixed.
    const query = { limit: String(PAGE_SIZE), page: String(page), order: 'created_at desc,id desc' };
    const listed = await listPosts(caller, query);
    if (listed.kind !== 'done') return listed;
    const post = choosePost(listed.value.posts, article);
    if (post) return { kind: 'done', value: toRemotePost(post) };
    if (!listed.value.hasMore) return { kind: 'done', value: null };
  }
  return { kind: 'unavailable', reason: `${LABEL} lists too many posts to search them all.` };
}

function listPosts(
  caller: GhostCaller,
  query: Record<string, string>,
): Promise<Outcome<{ posts: GhostPost[]; hasMore: boolean }>> {
  const path = `/posts/?${new URLSearchParams({ ...query, fields: POST_FIELDS })}`;
  return caller.call({ method: 'GET', path }, 'read', ({ json }) => {
    const posts = readPosts(json);
    return posts && { posts, hasMore: typeof readField(json, 'meta', 'pagination', 'next') === 'number' };
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
