/** Finds the author or the series of a list, if readers may see it. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { isStorableName, isUuid } from '../db/valid-keys.ts';
import { isPublicAccount } from '../users/profile.ts';
import { isPublishedCanonical } from './article-list.ts';

/** Undefined for an author who is unknown, deleted, suspended or unconfirmed. */
export async function findListedAuthor(db: Kysely<DB>, username: string) {
  if (!isStorableName(username)) return undefined;
  return db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'createdAt'])
    .where('username', '=', username.toLowerCase())
    .where(isPublicAccount)
    .executeTakeFirst();
}

/** Undefined if unknown, suspended or without a public part: its title is private until then. */
export async function findListedSeries(db: Kysely<DB>, id: string) {
  if (!isUuid(id)) return undefined;
  return db
    .selectFrom('series')
    .innerJoin('users', 'users.id', 'series.authorId')
    .select([
      'series.id',
      'series.title',
      'series.authorId',
      'users.name as authorName',
      'users.username as authorUsername',
    ])
    .where('series.id', '=', id)
    .where('users.suspendedAt', 'is', null)
    .where(sql<boolean>`exists (select from articles where part_of = series.id and ${isPublishedCanonical})`)
    .executeTakeFirst();
}
