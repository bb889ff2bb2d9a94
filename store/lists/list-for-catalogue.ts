/** Lists the newest articles for agents' catalogues. */
import type { Database } from '../db/database.ts';
import { isListed, maySearch } from './article-list.ts';

/** Bounded, so the cost does not grow with the site. Excludes `search=no` of author or article. */
export function listForCatalogue(db: Database, limit: number) {
  return selectForCatalogue(db, limit).execute();
}

/** Exported so that a test can check its plan. */
export function selectForCatalogue(db: Database, limit: number) {
  // `isListed` implies the status condition, which is repeated for the index.
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
