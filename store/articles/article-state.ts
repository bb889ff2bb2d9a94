/** The state of an article: as its workflow reads it, and as its author sees it. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

/** For the workflows: state, schedule and how often the article was published. */
export function findArticleState(db: Kysely<DB>, articleId: string) {
  return db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .select(['articles.id', 'articles.status', 'articles.scheduledAt', 'articles.dispatch', 'articles.slug'])
    .select(['articles.remindedFor', 'articles.scheduledZone as zone', 'articles.scheduledRules as rules'])
    .select(['users.username'])
    .where('articles.id', '=', articleId)
    .executeTakeFirst();
}

/** One of the author's own articles, for people; undefined for anybody else's. A deleted one has `deletedAt`. */
export function findOwnArticle(db: Kysely<DB>, { authorId, articleId }: { authorId: string; articleId: string }) {
  return (
    db
      .selectFrom('articles')
      .select(['id', 'slug', 'title', 'status', 'scheduledAt', 'publishedAt', 'updatedAt', 'deletedAt'])
      // The zone belongs to the scheduled time: a published article has neither.
      .select(sql<string | null>`case when status = 'SCHEDULED' then scheduled_zone end`.as('scheduledZone'))
      .where('id', '=', articleId)
      .where('authorId', '=', authorId)
      .executeTakeFirst()
  );
}
