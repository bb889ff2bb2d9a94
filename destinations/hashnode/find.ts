/** Searches a publication for the post of an article: by its slug, then through the list. */
import { reportUnusablePost } from '../http/failures.ts';
import { readField, readText } from '../http/read-field.ts';
import { isArticle } from '../posts/canonical.ts';
import { type ReadPage, searchPages } from '../posts/search-listing.ts';
import type { Outcome, PostQuery, RemotePost } from '../types.ts';
import { LABEL, limits } from './limits.ts';
import { FIND_BY_CANONICAL, FIND_BY_SLUG } from './operations.ts';
import { isPublication, type Query, readPost } from './posts.ts';
import { UNKNOWN_PUBLICATION } from './refusals.ts';

/** Only matters after a slug was edited. Beyond the limit the result is unknown. */
const MAX_PAGES = 100;
const PAGE_SIZE = 100;

export async function findPost(
  query: Query,
  publicationId: string,
  article: PostQuery,
): Promise<Outcome<RemotePost | null>> {
  const isOurs = (node: unknown) => {
    const post = { canonicalUrl: readText(node, 'canonicalUrl'), title: readText(node, 'title') };
    return isArticle(post, article, limits.titleLength) && !article.excludedIds?.has(readText(node, 'id') ?? '');
  };
  const readPublication = async (document: string, variables: object): Promise<Outcome<unknown>> => {
    const answer = await query(document, { publicationId, ...variables });
    if (answer.kind !== 'done') return answer;
    const publication = readField(answer.value, 'publication');
    return isPublication(publication, publicationId) ? { kind: 'done', value: publication } : UNKNOWN_PUBLICATION;
  };
  if (!article.restored) {
    const bySlug = await readPublication(FIND_BY_SLUG, { slug: article.slug });
    if (bySlug.kind !== 'done') return bySlug;
    const post = readField(bySlug.value, 'post');
    // Otherwise the post with our slug has another canonical URL: its author wrote it on Hashnode.
    if (isOurs(post)) return readFoundPost(post);
  }
  // Newest first, so a post that was just created is on the first page.
  return searchPages<string | null>(LABEL, MAX_PAGES, null, async (after): Promise<Outcome<ReadPage<string>>> => {
    const listed = await readPublication(FIND_BY_CANONICAL, { first: PAGE_SIZE, after });
    if (listed.kind !== 'done') return listed;
    const edges = readField(listed.value, 'posts', 'edges');
    if (!Array.isArray(edges)) return UNKNOWN_PUBLICATION;
    const ours = edges.map((edge) => readField(edge, 'node')).find(isOurs);
    const found = ours === undefined ? null : readFoundPost(ours);
    if (found && found.kind !== 'done') return found;
    if (found || readField(listed.value, 'posts', 'pageInfo', 'hasNextPage') !== true) {
      return { kind: 'done', value: { found: found?.value ?? null, next: null } };
    }
    const next = readText(listed.value, 'posts', 'pageInfo', 'endCursor');
    if (next === null) return { kind: 'unavailable', reason: `${LABEL} did not list all posts.` };
    return { kind: 'done', value: { found: null, next } };
  });
}

function readFoundPost(node: unknown): Outcome<RemotePost> {
  const post = readPost(node);
  return post ? { kind: 'done', value: post } : reportUnusablePost(LABEL);
}
