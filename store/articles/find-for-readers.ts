/** Finds articles for readers and agents, by their present or a former address. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { isStorableName } from '../db/valid-keys.ts';

export interface Address {
  articleId: string;
  /** The present slug, which may differ from the requested one. */
  slug: string;
  /** Whether readers may see the article now: it is PUBLISHED and its author is not suspended. */
  isPublic: boolean;
}

/** The article that has or had this address. Always one statement, so that times reveal nothing. */
export async function findAddress(db: Database, slug: string): Promise<Address | undefined> {
  if (!isStorableName(slug)) return undefined;
  const { rows } = await sql<Address>`
    select articles.id as article_id, articles.slug, articles.status = 'PUBLISHED' and users.suspended_at is null as is_public
    from articles join users on users.id = articles.author_id,
    lateral (select exists (select from slug_redirects r where r.slug = ${slug} and r.article_id = articles.id) as was_public) former
    where (articles.slug = ${slug} or articles.id = (select article_id from slug_redirects where slug = ${slug}))
    and (former.was_public or (articles.status = 'PUBLISHED' and users.suspended_at is null))`.execute(db);
  return rows[0];
}

/** The article with a slug and its author, in any state. */
export async function findArticleBySlug(db: Database, slug: string) {
  if (!isStorableName(slug)) return undefined;
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
      'articles.isCanonical',
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
    .where('articles.slug', '=', slug)
    .executeTakeFirst();
}

export type ArticleWithAuthor = NonNullable<Awaited<ReturnType<typeof findArticleBySlug>>>;

/** Undefined if the article is not public. */
export async function findPublicBody(db: Database, articleId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('articles')
    .select('body')
    .where('id', '=', articleId)
    .where('status', '=', 'PUBLISHED')
    .executeTakeFirst();
  return row?.body;
}
