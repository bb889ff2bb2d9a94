/** Loads one page of the comments of a public article, as every reader sees them. */
import { COMMENT_PAGE_LENGTH, findAcceptedAnswer } from '../../../store/comments/find-comment.ts';
import { countComments, listComments } from '../../../store/comments/list-comments.ts';
import { type CommentedArticle, isOpen } from '../../../store/comments/open-comments.ts';
import type { Database } from '../../../store/db/database.ts';
import type { Discussion } from './list.ts';

export interface DiscussedArticle extends CommentedArticle {
  id: string;
  slug: string;
  authorUsername: string;
}

/** Returns null if comments are turned off for the article. */
export async function findDiscussion(
  db: Database,
  article: DiscussedArticle,
  after: Buffer | null = null,
): Promise<Discussion | null> {
  if (!article.commentsEnabled) return null;
  const { id: articleId, slug, authorUsername } = article;
  const [rows, count, answer] = await Promise.all([
    listComments(db, { articleId, viewerId: null, first: COMMENT_PAGE_LENGTH + 1, after }),
    countComments(db, articleId),
    findAcceptedAnswer(db, articleId),
  ]);
  return {
    ...{ slug, authorUsername, isOpen: isOpen(article), count },
    answer: answer ?? null,
    comments: rows.slice(0, COMMENT_PAGE_LENGTH),
    hasEarlier: after !== null,
    hasLater: rows.length > COMMENT_PAGE_LENGTH,
  };
}
