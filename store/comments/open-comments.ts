/** Whether an article accepts comments: `commentsEnabled` allows any, a lock stops further ones. */
import { RefusedCommandError } from '../commands/refused-command.ts';

export interface CommentedArticle {
  commentsEnabled: boolean;
  commentsLockedAt: Date | null;
}

export function isOpen({ commentsEnabled, commentsLockedAt }: CommentedArticle): boolean {
  return commentsEnabled && commentsLockedAt === null;
}

export function requireOpen(article: CommentedArticle): void {
  if (isOpen(article)) return;
  const message = article.commentsEnabled
    ? 'The author has closed comments on this article.'
    : 'This article has no comments.';
  throw new RefusedCommandError('COMMENTS_CLOSED', message);
}
