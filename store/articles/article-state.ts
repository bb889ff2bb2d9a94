/** The state of an article, as its workflow reads it. */
import type { Kysely } from 'kysely';
import { connectedPlatforms } from '../connections/list.ts';
import type { DB } from '../db/types.ts';

/** For the workflows: state, schedule, how often the article was published, and what names its workflows. */
export function findArticleState(db: Kysely<DB>, articleId: string) {
  return db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .select(['articles.id', 'articles.status', 'articles.scheduledAt', 'articles.dispatch', 'articles.slug'])
    .select(['articles.remindedFor', 'articles.scheduledZone as zone', 'articles.scheduledRules as rules'])
    .select(['articles.title', 'users.username', 'users.name as authorName', connectedPlatforms])
    .where('articles.id', '=', articleId)
    .executeTakeFirst();
}
