/** Looks for the post of an article in a publication: under its slug, then through the list. */
import { isSameCanonical } from '../canonical.ts';
import { outcomeOfStrangePost } from '../http/outcomes.ts';
import type { ClientOptions, Outcome, RemotePost } from '../types.ts';
import { callHashnode } from './call.ts';
import { HASHNODE_LABEL } from './limits.ts';
import { FIND_BY_CANONICAL, FIND_BY_SLUG } from './operations.ts';
import { at, canonicalOf, readPost } from './post.ts';
import { noPublication } from './refusals.ts';

/** Pages of a hundred; whoever writes more than a thousand posts and edits their slugs is not found by canonical URL. */
const PAGES = 10;
const PAGE_SIZE = 100;

export async function findPost(
  options: ClientOptions,
  publicationId: string,
  { canonicalUrl, slug }: { canonicalUrl: string; slug: string },
): Promise<Outcome<RemotePost | null>> {
  const bySlug = await callHashnode(options, FIND_BY_SLUG, { publicationId, slug }, 'read');
  if (bySlug.kind !== 'done') return bySlug;
  if (at(bySlug.value, 'publication', 'id') === undefined) return noPublication();
  const post = at(bySlug.value, 'publication', 'post');
  // A post under our slug with another canonical URL is the author's own, written there.
  if (isSameCanonical(canonicalOf(post), canonicalUrl)) return foundPost(post);
  return findByCanonical(options, publicationId, canonicalUrl);
}

/** Newest first, so that a post which was just created stands on the first page. */
async function findByCanonical(
  options: ClientOptions,
  publicationId: string,
  canonicalUrl: string,
): Promise<Outcome<RemotePost | null>> {
  let after: unknown = null;
  for (let page = 0; page < PAGES; page += 1) {
    const variables = { publicationId, first: PAGE_SIZE, after };
    const answer = await callHashnode(options, FIND_BY_CANONICAL, variables, 'read');
    if (answer.kind !== 'done') return answer;
    const posts = at(answer.value, 'publication', 'posts');
    const edges = at(posts, 'edges');
    if (!Array.isArray(edges)) return noPublication();
    const edge = edges.find((entry) => isSameCanonical(canonicalOf(at(entry, 'node')), canonicalUrl));
    if (edge) return foundPost(at(edge, 'node'));
    after = at(posts, 'pageInfo', 'endCursor');
    if (at(posts, 'pageInfo', 'hasNextPage') !== true || typeof after !== 'string') break;
  }
  return { kind: 'done', value: null };
}

function foundPost(node: unknown): Outcome<RemotePost> {
  const post = readPost(node);
  return post ? { kind: 'done', value: post } : outcomeOfStrangePost(HASHNODE_LABEL);
}
