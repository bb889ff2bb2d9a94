/** Whose list is asked for, as long as it is one that readers are shown. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { canBeName, isUuid } from '../db/valid-keys.ts';
import { isShownToReaders } from '../users/profile.ts';
import { isPublishedCanonical } from './article-list.ts';

/** Undefined for an author who is unknown, deleted, suspended, or has no confirmed address. */
export async function findListedAuthor(db: Kysely<DB>, username: string) {
  if (!canBeName(username)) return undefined;
  return db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'createdAt'])
    .where('username', '=', username)
    .where(isShownToReaders)
    .executeTakeFirst();
}

/** Undefined for one that is unknown, whose author is suspended, or that has no public part: its title is its author's until then. */
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
