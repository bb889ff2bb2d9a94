/** Reading articles: by slug for readers and agents, by id for the actors. */
import { type Kysely, sql } from 'kysely';
import type { DeliverableArticle } from '../../article/types.ts';
import { canBeName } from '../db/can-be-name.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { isOldestCanonical } from './oldest-canonical.ts';

/** Former address → present slug; undefined where the slug was never anybody's. */
export async function findRedirect(db: Database, slug: string) {
  if (!canBeName(slug)) return undefined;
  return (
    db
      .selectFrom('slugRedirects')
      .innerJoin('articles', 'articles.id', 'slugRedirects.articleId')
      .select('articles.slug')
      .where('slugRedirects.slug', '=', slug)
      // Where an article that never was public lies is nobody's business.
      .where('articles.publishedAt', 'is not', null)
      .executeTakeFirst()
  );
}

/**
 * The article at a slug with its author, whatever its state. `oldestCanonical` says whether it is the oldest published one here with its
 * canonical URL, which makes it the canonical article that agents are given.
 */
export async function findArticleBySlug(db: Database, slug: string) {
  if (!canBeName(slug)) return undefined;
  return db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .select([
      'articles.id',
      'articles.slug',
      'articles.title',
      'articles.subtitle',
      'articles.tags',
      'articles.category',
      'articles.coverImage',
      'articles.generateToc',
      'articles.givenCanonicalUrl',
      'articles.status',
      'articles.derived',
      'articles.publishedAt',
      'articles.updatedAt',
      'users.name as authorName',
      'users.username as authorUsername',
      'users.trusted as authorTrusted',
    ])
    .select(isOldestCanonical.as('oldestCanonical'))
    .where('articles.slug', '=', slug)
    .executeTakeFirst();
}

export type ArticlePage = NonNullable<Awaited<ReturnType<typeof findArticleBySlug>>>;

/** The newest published articles, of everybody or of one author. */
export function listRecentArticles(db: Database, limit: number, authorId?: string) {
  return db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .select(['articles.slug', 'articles.title', 'articles.publishedAt', 'users.name as authorName'])
    .select(sql<string>`articles.derived ->> 'excerpt'`.as('excerpt'))
    .where('articles.status', '=', 'PUBLISHED')
    .$if(authorId !== undefined, (query) => query.where('articles.authorId', '=', authorId as string))
    .orderBy('articles.publishedAt', 'desc')
    .limit(limit)
    .execute();
}

/** What the actors go by: state, schedule and how often it was published. */
export function findArticleState(db: Kysely<DB>, articleId: string) {
  return db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .select(['articles.id', 'articles.status', 'articles.scheduledAt', 'articles.dispatch', 'articles.slug'])
    .select('articles.remindedFor')
    .select(['users.username'])
    .where('articles.id', '=', articleId)
    .executeTakeFirst();
}

/** One of the author's own, for people; undefined for anybody else's. What was deleted says so by `deletedAt`. */
export function findOwnArticle(db: Kysely<DB>, { authorId, articleId }: { authorId: string; articleId: string }) {
  return (
    db
      .selectFrom('articles')
      .select(['id', 'slug', 'title', 'status', 'scheduledAt', 'publishedAt', 'updatedAt', 'deletedAt'])
      // The zone belongs to the time: what has fired has neither.
      .select(sql<string | null>`case when status = 'SCHEDULED' then scheduled_zone end`.as('scheduledZone'))
      .where('id', '=', articleId)
      .where('authorId', '=', authorId)
      .executeTakeFirst()
  );
}

/** The article as destinations get it. */
export async function loadDeliverable(
  db: Kysely<DB>,
  articleId: string,
  baseUrl: string,
): Promise<DeliverableArticle | null> {
  const row = await db
    .selectFrom('articles')
    .select(['id', 'slug', 'title', 'subtitle', 'tags', 'givenCanonicalUrl', 'coverImage', 'generateToc'])
    .select(['commentsEnabled', 'body'])
    .select(sql<string>`coalesce(derived ->> 'excerpt', '')`.as('excerpt'))
    .where('id', '=', articleId)
    .executeTakeFirst();
  if (!row) return null;
  const { givenCanonicalUrl, ...article } = row;
  return { ...article, canonicalUrl: givenCanonicalUrl ?? articleUrl(baseUrl, row.slug) };
}

export function articleUrl(baseUrl: string, slug: string): string {
  return `${baseUrl}/${encodeURIComponent(slug)}`;
}
