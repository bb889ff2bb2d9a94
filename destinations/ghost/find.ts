/** Finds the author's post of an article: by its canonical URL, whatever the spelling. */
import { readField } from '../http/read-field.ts';
import { isSameCanonical } from '../posts/canonical.ts';
import type { Outcome, RemotePost } from '../types.ts';
import { listStoredSpellings, spellAddress } from './address.ts';
import type { GhostCaller } from './call.ts';
import { type GhostPost, POST_FIELDS, readPosts, takeRemotePost } from './posts.ts';

/**
 * Ghost lists at most a hundred at once. The filter finds what was sent by us, however old it is; the listing finds
 * canonical URLs that were spelled differently since, among the newest thousand posts.
 */
const PAGE_SIZE = 100;
const PAGES = 10;
/** In characters before they are escaped: servers accept URLs of a few thousand characters. */
const LONGEST_FILTER = 1500;

export async function findPost(
  caller: GhostCaller,
  article: { canonicalUrl: string; slug: string },
): Promise<Outcome<RemotePost | null>> {
  if (!URL.canParse(article.canonicalUrl)) return { kind: 'done', value: null };
  const spellings = [...new Set(listStoredSpellings(article.canonicalUrl, caller.site))].map(quote);
  const kept = spellings.join(',').length > LONGEST_FILTER ? spellings.slice(0, 1) : spellings;
  const filter = `canonical_url:[${kept.join(',')}],slug:${quote(article.slug)}`;
  const filtered = await listPosts(caller, { filter, limit: String(PAGE_SIZE) });
  if (filtered.kind !== 'done') return filtered;
  const post = choosePost(filtered.value.posts, article.canonicalUrl);
  return post ? { kind: 'done', value: takeRemotePost(post) } : walkPosts(caller, article.canonicalUrl);
}

async function walkPosts(caller: GhostCaller, canonicalUrl: string): Promise<Outcome<RemotePost | null>> {
  for (let page = 1; page <= PAGES; page += 1) {
    const query = { limit: String(PAGE_SIZE), page: String(page), order: 'created_at desc' };
    const listed = await listPosts(caller, query);
    if (listed.kind !== 'done') return listed;
    const post = choosePost(listed.value.posts, canonicalUrl);
    if (post) return { kind: 'done', value: takeRemotePost(post) };
    if (!listed.value.hasMore) break;
  }
  return { kind: 'done', value: null };
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

/** A post with our slug and another canonical URL is the author's own. A public post is preferred to a draft. */
function choosePost(posts: GhostPost[], canonicalUrl: string): GhostPost | undefined {
  const spelled = spellAddress(canonicalUrl);
  const ours = posts.filter(
    (post) => isSameCanonical(post.canonicalUrl, spelled) || isSameCanonical(post.canonicalUrl, canonicalUrl),
  );
  return ours.find((post) => post.status === 'published') ?? ours[0];
}

/** A string of Ghost's filter language. */
function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
