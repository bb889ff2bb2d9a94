/** User profiles: as edited by their owner and as shown to everybody. */
import { type Kysely, sql } from 'kysely';
import { createAccountDeletedError } from '../commands/refused-command.ts';
import type { DB } from '../db/types.ts';
import { isStorableName } from '../db/valid-keys.ts';
import { isPublishedCanonical } from '../lists/article-list.ts';

/** Omitted fields stay unchanged. */
export interface ProfileChange {
  name?: string;
  bio?: string | null;
  links?: string[];
  pictureUrl?: string | null;
  /** In the form of the header; null for no preference. */
  contentSignal?: string | null;
}

/** The caller has validated the change. Throws UNAUTHENTICATED if the account was deleted. */
export async function updateProfile(db: Kysely<DB>, userId: string, change: ProfileChange): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    // `id` avoids an empty `set` if nothing changes.
    .set((eb) => ({ ...change, id: eb.ref('id') }))
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw createAccountDeletedError();
}

/** Undefined if there is no such account, or it was deleted. */
export function findOwnProfile(db: Kysely<DB>, id: string) {
  return selectProfile(db)
    .select(['users.email', 'users.emailConfirmedAt', 'users.contentSignal'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Whether readers can see the account of a row of `users`, with its page and lists. */
export const isPublicAccount = sql<boolean>`users.deleted_at is null and users.suspended_at is null and users.email_confirmed_at is not null`;

/** Undefined also for suspended and unconfirmed accounts. */
export async function findPublicProfile(db: Kysely<DB>, username: string) {
  if (!isStorableName(username)) return undefined;
  return selectProfile(db).where('username', '=', username.toLowerCase()).where(isPublicAccount).executeTakeFirst();
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
