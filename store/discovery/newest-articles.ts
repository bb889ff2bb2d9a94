/** The newest public canonical articles, as catalogues for agents list them. */
import { isOldestCanonical } from '../articles/find-for-readers.ts';
import type { Database } from '../db/database.ts';
import { maySearch } from '../lists/article-list.ts';

/**
 * Reads from the newest on until it has enough, so it costs the same however many there are. Left out is what takes part in nothing (its
 * author is suspended) and what is not to be found (`search=no` of the author or the article).
 */
export function listNewestArticles(db: Database, limit: number) {
  return selectNewestArticles(db, limit).execute();
}

export function selectNewestArticles(db: Database, limit: number) {
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
    .where('users.suspendedAt', 'is', null)
    .where(maySearch)
    .where(isOldestCanonical)
    .orderBy('articles.publishedAt', 'desc')
    .limit(limit);
}
