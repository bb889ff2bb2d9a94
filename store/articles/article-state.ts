/** Reads the state of an article for its workflow. */
import type { Kysely } from 'kysely';
import { connectedPlatforms } from '../connections/list.ts';
import type { DB } from '../db/types.ts';

/** Includes the schedule and the fields that name the article's workflows. */
export function findArticleState(db: Kysely<DB>, articleId: string) {
  return db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .select(['articles.id', 'articles.status', 'articles.scheduledAt', 'articles.slug'])
    .select(['articles.remindedFor', 'articles.scheduledZone as zone', 'articles.scheduledRules as rules'])
    .select(['articles.title', 'users.username', 'users.name as authorName', connectedPlatforms])
    .where('articles.id', '=', articleId)
    .executeTakeFirst();
}
