/** Searches a publication for the post of an article: by its slug, then through the list. */
import type { Caller } from '../http/caller.ts';
import { reportUnusablePost } from '../http/failures.ts';
import { readField, readText } from '../http/read-field.ts';
import { isArticle } from '../posts/canonical.ts';
import type { Outcome, PostQuery, RemotePost } from '../types.ts';
import type { HashnodeRequest } from './call.ts';
import { LABEL, limits } from './limits.ts';
import { FIND_BY_CANONICAL, FIND_BY_SLUG } from './operations.ts';
import { isPublication, readData, readPost } from './posts.ts';
import { rejectPublication } from './refusals.ts';

/**
 * The search by canonical URL only matters after a slug was edited. Beyond the limit of pages the
 * result is unknown.
 */
const MAX_PAGES = 100;
const PAGE_SIZE = 100;

export async function findPost(
  caller: Caller<HashnodeRequest>,
  publicationId: string,
  article: PostQuery,
): Promise<Outcome<RemotePost | null>> {
  const isOurs = (node: unknown) => {
    const post = { canonicalUrl: readText(node, 'canonicalUrl'), title: readText(node, 'title') };
    return isArticle(post, article, limits.titleLength) && !article.excludedIds?.has(readText(node, 'id') ?? '');
  };
  if (article.restored) return searchPosts(caller, publicationId, isOurs);
  const { slug } = article;
  const bySlug = await caller.call({ query: FIND_BY_SLUG, variables: { publicationId, slug } }, 'read', readData);
  if (bySlug.kind !== 'done') return bySlug;
  if (!isPublication(readField(bySlug.value, 'publication'), publicationId)) return rejectPublication();
  const post = readField(bySlug.value, 'publication', 'post');
  // Otherwise the post with our slug has another canonical URL: its author wrote it on Hashnode.
  if (isOurs(post)) return readFoundPost(post);
  return searchPosts(caller, publicationId, isOurs);
}

/** Newest first, so a post that was just created is on the first page. */
async function searchPosts(
  caller: Caller<HashnodeRequest>,
  publicationId: string,
  isOurs: (node: unknown) => boolean,
): Promise<Outcome<RemotePost | null>> {
  let after: unknown = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const variables = { publicationId, first: PAGE_SIZE, after };
    const answer = await caller.call({ query: FIND_BY_CANONICAL, variables }, 'read', readData);
    if (answer.kind !== 'done') return answer;
    const posts = readField(answer.value, 'publication', 'posts');
    const edges = readField(posts, 'edges');
    const isSamePublication = isPublication(readField(answer.value, 'publication'), publicationId);
    if (!isSamePublication || !Array.isArray(edges)) return rejectPublication();
    const nodes = edges.map((edge) => readField(edge, 'node'));
    const ours = nodes.find(isOurs);
    if (ours) return readFoundPost(ours);
    if (readField(posts, 'pageInfo', 'hasNextPage') !== true) return { kind: 'done', value: null };
    after = readField(posts, 'pageInfo', 'endCursor');
    if (typeof after !== 'string') return { kind: 'unavailable', reason: `${LABEL} did not list all posts.` };
  }
  return { kind: 'unavailable', reason: `${LABEL} lists too many posts to search them all.` };
}

function readFoundPost(node: unknown): Outcome<RemotePost> {
  const post = readPost(node);
  return post ? { kind: 'done', value: post } : reportUnusablePost(LABEL);
}
