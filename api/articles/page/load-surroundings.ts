/** Loads what an article's page shows around the text, with the cache tags of the page. */
import type { Database } from '../../../store/db/database.ts';
import { findArticleSeries, listPublicCopies, listRelated } from '../../../store/lists/related-content.ts';
import { countReactions } from '../../../store/reactions/react.ts';
import type { CacheTag } from '../../http-cache/public-response.ts';
import { type DiscussedArticle, findDiscussion } from '../../readers/comments/find-discussion.ts';
import { nameCopies } from './name-copies.ts';

const MAX_RELATED = 3;

export async function loadArticleSurroundings(db: Database, article: DiscussedArticle & { tags: readonly string[] }) {
  const { id: articleId, tags } = article;
  const [series, copies, related, discussion, reactions] = await Promise.all([
    findArticleSeries(db, articleId),
    listPublicCopies(db, articleId),
    listRelated(db, { articleId, tags, limit: MAX_RELATED }),
    findDiscussion(db, article),
    countReactions(db, { articleId, viewerId: null }),
  ]);
  const cacheTags: CacheTag[] = [
    `article:${articleId}`,
    ...(series ? [`series:${series.id}` as const] : []),
    ...related.map(({ id }) => `article:${id}` as const),
  ];
  return { around: { series, copies: nameCopies(copies), related, discussion, reactions }, cacheTags };
}
