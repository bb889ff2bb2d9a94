/** Finds a public article by its present or a former slug, for readers' actions. */
import { type Kysely, sql } from 'kysely';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { DB } from '../db/types.ts';
import { isStorableName } from '../db/valid-keys.ts';

/** Throws NOT_FOUND unless the article is public and its author active. */
export async function requirePublicArticle(db: Kysely<DB>, slug: string) {
  const article = await seekPublicArticle(db, slug);
  if (!article) throw new RefusedCommandError('NOT_FOUND', 'There is no public article with this slug.', 'slug');
  return article;
}

/** Undefined if there is none. */
export async function seekPublicArticle(db: Kysely<DB>, slug: string) {
  if (!isStorableName(slug)) return undefined;
  return db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .select(['articles.id', 'articles.slug', 'articles.title', 'articles.authorId', 'users.username as authorUsername'])
    .select(['articles.commentsEnabled', 'articles.commentsLockedAt'])
    .where((eb) =>
      eb.or([
        eb('articles.slug', '=', slug),
        eb('articles.id', '=', sql<string>`(select article_id from slug_redirects where slug = ${slug})`),
      ]),
    )
    .where('articles.status', '=', 'PUBLISHED')
    .where('users.suspendedAt', 'is', null)
    .executeTakeFirst();
}
