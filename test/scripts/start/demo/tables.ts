/** Reads the content of the demonstration, in a stable order. */
import type { Database } from '../../../../store/db/database.ts';

export async function findUser(db: Database, username: string): Promise<string> {
  return (await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id;
}

/** As `destination platform address`; addresses of the sandbox without its origin. */
export async function listConnections(db: Database, sandboxUrl: string, username: string): Promise<string[]> {
  const rows = await db
    .selectFrom('connections')
    .select(['destination', 'platform', 'baseUrl'])
    .where('userId', '=', await findUser(db, username))
    .orderBy('destination')
    .execute();
  return rows.map((row) => `${row.destination} ${row.platform} ${row.baseUrl.replace(sandboxUrl, '')}`);
}

export function listArticles(db: Database) {
  return db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .leftJoin('series', 'series.id', 'articles.partOf')
    .select(['articles.slug', 'username', 'status', 'articles.publishedAt', 'articles.createdAt', 'articles.updatedAt'])
    .select(['scheduledAt', 'coverImage', 'series.title as part'])
    .orderBy('articles.publishedAt', (order) => order.asc().nullsLast())
    .orderBy('articles.slug')
    .execute();
}

export function listComments(db: Database) {
  return db
    .selectFrom('comments')
    .innerJoin('articles', 'articles.id', 'comments.articleId')
    .innerJoin('users', 'users.id', 'comments.userId')
    .select(['slug', 'username', 'depth', 'acceptedAt', 'comments.body'])
    .orderBy('comments.createdAt')
    .execute();
}

export function listReactions(db: Database) {
  return db
    .selectFrom('reactions')
    .innerJoin('articles', 'articles.id', 'reactions.articleId')
    .innerJoin('users', 'users.id', 'reactions.userId')
    .select(['slug', 'username', 'kind'])
    .orderBy('username')
    .orderBy('slug')
    .orderBy('kind')
    .execute();
}

export function listFollows(db: Database) {
  return db
    .selectFrom('followers')
    .innerJoin('users as reader', 'reader.id', 'followers.followerId')
    .innerJoin('users as author', 'author.id', 'followers.authorId')
    .select(['reader.username as reader', 'author.username as author'])
    .orderBy('reader.username')
    .orderBy('author.username')
    .execute();
}

export function listDeliveries(db: Database) {
  return db
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .select(['slug', 'destination'])
    .orderBy('slug')
    .orderBy('destination')
    .execute();
}

/** Of each article and day. */
export function listViews(db: Database) {
  return db
    .selectFrom('articleDays')
    .innerJoin('articles', 'articles.id', 'articleDays.articleId')
    .select(['slug', 'views', 'readingSeconds'])
    .orderBy('day')
    .execute();
}

export function listSubscribers(db: Database) {
  return db
    .selectFrom('newsletterSubscribers')
    .innerJoin('users', 'users.id', 'newsletterSubscribers.authorId')
    .select(['username', 'newsletterSubscribers.email', 'newsletterSubscribers.createdAt', 'confirmedAt'])
    .orderBy('newsletterSubscribers.createdAt')
    .execute();
}
