/** What people say of themselves, and what everybody sees of them. */
import { type Kysely, sql } from 'kysely';
import { createAccountGoneError } from '../commands/refused-command.ts';
import type { DB } from '../db/types.ts';
import { canBeName } from '../db/valid-keys.ts';
import { isPublishedCanonical } from '../lists/article-list.ts';

/** What is not given stays as it is. */
export interface ProfileChange {
  name?: string;
  bio?: string | null;
  links?: string[];
  pictureUrl?: string | null;
  /** In the form of the header; null says nothing. */
  contentSignal?: string | null;
}

/** Checked by the caller. Throws UNAUTHENTICATED where the account was deleted meanwhile. */
export async function updateProfile(db: Kysely<DB>, userId: string, change: ProfileChange): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    // Without any change at all there would be nothing to set.
    .set((eb) => ({ ...change, id: eb.ref('id') }))
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw createAccountGoneError();
}

/** Undefined where there is no such person, or the account was deleted. */
export function findOwnProfile(db: Kysely<DB>, id: string) {
  return selectProfile(db)
    .select(['users.email', 'users.emailConfirmedAt', 'users.contentSignal'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Whether readers see the account of a row of `users`, and so its page and its lists. */
export const isShownToReaders = sql<boolean>`users.deleted_at is null and users.suspended_at is null and users.email_confirmed_at is not null`;

/** Undefined also for suspended accounts and those without a confirmed address. */
export async function findPublicProfile(db: Kysely<DB>, username: string) {
  if (!canBeName(username)) return undefined;
  return selectProfile(db).where('username', '=', username.toLowerCase()).where(isShownToReaders).executeTakeFirst();
}

export type PublicProfile = NonNullable<Awaited<ReturnType<typeof findPublicProfile>>>;

function selectProfile(db: Kysely<DB>) {
  return db
    .selectFrom('users')
    .select(['users.id', 'username', 'name', 'bio', 'links', 'pictureUrl', 'trusted', 'users.createdAt'])
    .select([
      sql<number>`(select count(*) from articles where articles.author_id = users.id and ${isPublishedCanonical})`.as(
        'articleCount',
      ),
      sql<number>`(select count(*) from followers f join users follower on follower.id = f.follower_id
        where f.author_id = users.id and follower.suspended_at is null)`.as('followerCount'),
    ])
    .where('users.deletedAt', 'is', null);
}
