/** Gone (410) and never there (404) are told apart: an article that was public and is a draft now was withdrawn. */
import type { ArticleStatus } from '../../article/types.ts';

export function wasWithdrawn(article: { status: ArticleStatus; publishedAt: Date | null }): boolean {
  return article.status !== 'PUBLISHED' && article.publishedAt !== null;
}
