/** Finds the author's post of an article: by its canonical URL, whatever the spelling. */

import { isSameCanonical } from '../canonical.ts';
import { field } from '../http/json-fields.ts';
import { outcomeOfWeather } from '../http/outcomes.ts';
import type { ClientOptions, Outcome, RemotePost } from '../types.ts';
import { spellAddress, storedSpellings } from './address.ts';
import { callGhost, siteAddress } from './call.ts';
import { GHOST_LABEL } from './limits.ts';
import { asRemote, type GhostPost, POST_FIELDS, readPosts } from './posts.ts';

/**
 * Ghost gives at most a hundred at once. What was sent by us is found by the filter however old it is; the listing is for
 * canonical URLs that were spelled anew since, among the newest thousand.
 */
const PAGE_SIZE = 100;
const PAGES = 10;
/** In characters, before they are escaped: servers take addresses of some thousand. */
const LONGEST_FILTER = 1500;

export async function findPost(
  options: ClientOptions,
  article: { canonicalUrl: string; slug: string },
): Promise<Outcome<RemotePost | null>> {
  if (!URL.canParse(article.canonicalUrl)) return { kind: 'done', value: null };
  const spellings = [...new Set(storedSpellings(article.canonicalUrl, siteAddress(options)))].map(quote);
  const kept = spellings.join(',').length > LONGEST_FILTER ? spellings.slice(0, 1) : spellings;
  const filter = `canonical_url:[${kept.join(',')}],slug:${quote(article.slug)}`;
  const filtered = await listPosts(options, { filter, limit: String(PAGE_SIZE) });
  if (filtered.kind !== 'done') return filtered;
  const post = choose(filtered.value.posts, article.canonicalUrl);
  return post ? { kind: 'done', value: asRemote(post) } : walkPosts(options, article.canonicalUrl);
}

async function walkPosts(options: ClientOptions, canonicalUrl: string): Promise<Outcome<RemotePost | null>> {
  for (let page = 1; page <= PAGES; page += 1) {
    const query = { limit: String(PAGE_SIZE), page: String(page), order: 'created_at desc' };
    const listed = await listPosts(options, query);
    if (listed.kind !== 'done') return listed;
    const post = choose(listed.value.posts, canonicalUrl);
    if (post) return { kind: 'done', value: asRemote(post) };
    if (!listed.value.hasMore) break;
  }
  return { kind: 'done', value: null };
}

async function listPosts(
  options: ClientOptions,
  query: Record<string, string>,
): Promise<Outcome<{ posts: GhostPost[]; hasMore: boolean }>> {
  const path = `/posts/?${new URLSearchParams({ ...query, fields: POST_FIELDS })}`;
  const answer = await callGhost(options, { method: 'GET', path }, 'read');
  if (answer.kind !== 'done') return answer;
  const posts = readPosts(answer.value.json);
  if (posts === null) return outcomeOfWeather(answer.value, 'read', GHOST_LABEL);
  const next = field(field(field(answer.value.json, 'meta'), 'pagination'), 'next');
  return { kind: 'done', value: { posts, hasMore: typeof next === 'number' } };
}

/** A post under our slug with another canonical URL is the author's own. What readers see counts more than a draft. */
function choose(posts: GhostPost[], canonicalUrl: string): GhostPost | undefined {
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
