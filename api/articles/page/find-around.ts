/** Loads what an article's page shows around the text, with the cache tags of the page. */
import type { Database } from '../../../store/db/database.ts';
import { findSeriesAround, listPublicCopies, listRelated } from '../../../store/lists/surroundings.ts';
import { countReactions } from '../../../store/reactions/react.ts';
import type { Subject } from '../../http-cache/respond.ts';
import { type DiscussedArticle, findDiscussion } from '../../readers/comments/find-discussion.ts';
import { nameCopies } from './name-copies.ts';

const RELATED = 3;

export async function findAround(db: Database, article: DiscussedArticle & { tags: readonly string[] }) {
  const { id: articleId, tags } = article;
  const [series, copies, related, discussion, reactions] = await Promise.all([
    findSeriesAround(db, articleId),
    listPublicCopies(db, articleId),
    listRelated(db, { articleId, tags, limit: RELATED }),
    findDiscussion(db, article),
    countReactions(db, { articleId, viewerId: null }),
  ]);
  const shows: Subject[] = [
    `article:${articleId}`,
    ...(series ? [`series:${series.id}` as const] : []),
    ...related.map(({ id }) => `article:${id}` as const),
  ];
  return { around: { series, copies: nameCopies(copies), related, discussion, reactions }, shows };
}
