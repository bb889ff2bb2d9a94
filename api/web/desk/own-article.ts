/** Loads the article that a desk address names. */
import type { FastifyRequest } from 'fastify';
import { findOwnArticle, type OwnArticle } from '../../../store/articles/own-articles.ts';
import type { Database } from '../../../store/db/database.ts';
import { isUuid } from '../../../store/db/valid-keys.ts';
import { ProblemError } from '../../plugins/errors/problem.ts';
import { getViewer } from '../viewer.ts';

/** Throws a 404 if the article is missing or another author's. A deleted one has `deletedAt`. */
export async function requireOwnArticle(db: Database, request: FastifyRequest, articleId: string): Promise<OwnArticle> {
  const { userId: authorId } = getViewer(request);
  const article = isUuid(articleId) ? await findOwnArticle(db, { authorId, articleId }) : undefined;
  if (article) return article;
  throw createNotFoundError();
}

export function createNotFoundError(): ProblemError {
  return new ProblemError(404, 'not_found', 'You have no such article.');
}
