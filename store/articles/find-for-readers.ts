/** Articles as readers and agents find them: by their address and by a former one. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { canBeName } from '../db/valid-keys.ts';

/**
 * Whose present or former address it is, in one question whatever the answer: how long it takes tells nobody what there is. The former
 * address of an article that was never public is nobody's.
 */
export async function findAddress(db: Database, slug: string) {
  if (!canBeName(slug)) return undefined;
  return db
    .selectFrom('articles')
    .select(['id', 'slug', 'status', 'publishedAt'])
    .where('slug', '=', slug)
    .unionAll(
      db
        .selectFrom('slugRedirects')
        .innerJoin('articles', 'articles.id', 'slugRedirects.articleId')
        .select(['articles.id', 'articles.slug', 'articles.status', 'articles.publishedAt'])
        .where('slugRedirects.slug', '=', slug)
        .where('articles.publishedAt', 'is not', null),
    )
    .limit(1)
    .executeTakeFirst();
}

/**
 * The article at a slug with its author, whatever its state. `oldestCanonical`: see `isOldestCanonical`; of several articles with one
 * canonical URL, agents are given that one.
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
      'articles.contentSignal',
      'articles.generateToc',
      'articles.commentsEnabled',
      'articles.commentsLockedAt',
      'articles.givenCanonicalUrl',
      'articles.status',
      'articles.derived',
      'articles.derivedVersion',
      'articles.derivedAt',
      'articles.publishedAt',
      'articles.updatedAt',
      'users.name as authorName',
      'users.username as authorUsername',
      'users.trusted as authorTrusted',
      'users.links as authorLinks',
      'users.bio as authorBio',
      'users.pictureUrl as authorPicture',
      'users.contentSignal as authorSignal',
      'users.suspendedAt as authorSuspendedAt',
      'users.shownAt as authorShownAt',
    ])
    .select(isOldestCanonical.as('oldestCanonical'))
    .where('articles.slug', '=', slug)
    .executeTakeFirst();
}

export type ArticlePage = NonNullable<Awaited<ReturnType<typeof findArticleBySlug>>>;

/**
 * Whether a row of `articles` is the oldest published article here with its canonical URL, those of suspended authors aside. At its own
 * address an article is canonical, whichever older article also names that address; otherwise anyone could take an address by pointing at
 * it first. Says nothing about the row's own status.
 */
export const isOldestCanonical = sql<boolean>`(articles.canonical_key = 'self:' || articles.slug or not exists (
  select 1 from articles older where older.canonical_key = articles.canonical_key
  and older.status = 'PUBLISHED' and (older.created_at, older.id) < (articles.created_at, articles.id)
  and not exists (select 1 from users suspended where suspended.id = older.author_id and suspended.suspended_at is not null)))`;
