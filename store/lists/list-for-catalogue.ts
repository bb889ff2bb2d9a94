/** What catalogues for agents show of the newest articles. */
import type { Database } from '../db/database.ts';
import { isListed, maySearch } from './article-list.ts';

/**
 * Reads from the newest on until it has enough, so it costs the same however many there are. Left out is what is not to be found (`search=no`
 * of the author or the article).
 */
export function listForCatalogue(db: Database, limit: number) {
  return selectForCatalogue(db, limit).execute();
}

/** Exported to look at its plan. */
export function selectForCatalogue(db: Database, limit: number) {
  // `isListed` implies the condition on the status, which is repeated for the index.
  return db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .select([
      'articles.slug',
      'articles.title',
      'articles.givenCanonicalUrl',
      'articles.publishedAt',
      'articles.updatedAt',
      'articles.abstract',
      'articles.topicSignals',
      'articles.tags',
      'articles.contentSignal',
      'users.name as authorName',
      'users.username as authorUsername',
      'users.contentSignal as authorSignal',
    ])
    .where('articles.status', '=', 'PUBLISHED')
    .where(isListed)
    .where(maySearch)
    .orderBy('articles.publishedAt', 'desc')
    .limit(limit);
}
