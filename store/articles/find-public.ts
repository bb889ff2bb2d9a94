/** The public article that a reader means by its present or a former slug. */
import { type Kysely, sql } from 'kysely';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { DB } from '../db/types.ts';
import { canBeName } from '../db/valid-keys.ts';

/** Throws NOT_FOUND, for an article that is not public as for one that never was. One whose author is suspended takes part in nothing. */
export async function findPublicArticle(db: Kysely<DB>, slug: string) {
  const article = canBeName(slug) ? await find(db, slug) : undefined;
  if (!article) throw new RefusedCommandError('NOT_FOUND', 'There is no public article with this slug.', 'slug');
  return article;
}

function find(db: Kysely<DB>, slug: string) {
  return db
    .selectFrom('articles')
    .innerJoin('users', 'users.id', 'articles.authorId')
    .select(['articles.id', 'articles.slug', 'articles.title', 'articles.authorId'])
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
