/** Follows authors: one row per pair, at most one notification per day however often it changes. */
import type { Transaction } from 'kysely';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { addNotification, toActorName } from '../notifications/add.ts';
import { findAuthorId, requireAuthorId } from '../users/find-user.ts';
import { lockActiveUser } from '../users/lock-user.ts';

export interface FollowTarget {
  followerId: string;
  username: string;
}

const DAY_MS = 24 * 60 * 60_000;

/** Throws SUSPENDED, NOT_FOUND, OWN_PROFILE. Does nothing if they already follow. */
export function follow(db: Database, { followerId, username, now }: FollowTarget & { now: Date }): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const person = await lockActiveUser(tx, followerId);
    const authorId = await requireAuthorId(tx, username);
    if (authorId === followerId) {
      throw new RefusedCommandError('OWN_PROFILE', 'You cannot follow yourself.', 'username');
    }
    const followed = await tx
      .insertInto('followers')
      .values({ authorId, followerId, createdAt: now })
      .onConflict((conflict) => conflict.columns(['authorId', 'followerId']).doNothing())
      .returning('authorId')
      .executeTakeFirst();
    const pair = { authorId, followerId };
    if (!followed || (await wasNotified(tx, pair, now))) return;
    await addNotification(tx, {
      userId: authorId,
      type: 'NEW_FOLLOWER',
      payload: { actorName: toActorName(person), postTitle: '' },
      link: `/authors/${person.username}`,
      dedupeKey: buildKey(pair, now),
      now,
    });
  });
}

/** Does nothing if they did not follow. Throws NOT_FOUND. */
export async function unfollow(db: Database, { followerId, username }: FollowTarget): Promise<void> {
  const authorId = await requireAuthorId(db, username);
  await db.deleteFrom('followers').where('authorId', '=', authorId).where('followerId', '=', followerId).execute();
}

export interface Audience {
  followers: number;
  /** Whether the viewer follows the author. */
  isFollowed: boolean;
}

/** Undefined if there is no such author. */
export async function findAudience(
  db: Database,
  { username, viewerId }: { username: string; viewerId: string | null },
): Promise<Audience | undefined> {
  const authorId = await findAuthorId(db, username);
  if (authorId === undefined) return undefined;
  return db
    .selectFrom('followers')
    .innerJoin('users', 'users.id', 'followers.followerId')
    .select((eb) => [
      eb.fn.countAll<number>().as('followers'),
      eb.fn.coalesce(eb.fn.agg<boolean>('bool_or', [eb('followerId', '=', viewerId)]), eb.lit(false)).as('isFollowed'),
    ])
    .where('authorId', '=', authorId)
    .where('users.suspendedAt', 'is', null)
    .executeTakeFirstOrThrow();
}

export async function isFollowing(db: Database, { followerId, authorId }: Pair): Promise<boolean> {
  const row = await db
    .selectFrom('followers')
    .select('authorId')
    .where('authorId', '=', authorId)
    .where('followerId', '=', followerId)
    .executeTakeFirst();
  return row !== undefined;
}

type Pair = { authorId: string; followerId: string };

/** Within 24 hours: today, or late yesterday. The lock on the follower's row excludes a race. */
async function wasNotified(tx: Transaction<DB>, pair: Pair, now: Date): Promise<boolean> {
  const dayBefore = new Date(now.getTime() - DAY_MS);
  const found = await tx
    .selectFrom('notifications')
    .select('id')
    .where('dedupeKey', 'in', [buildKey(pair, now), buildKey(pair, dayBefore)])
    .where('createdAt', '>', dayBefore)
    .executeTakeFirst();
  return found !== undefined;
}

function buildKey({ authorId, followerId }: Pair, at: Date): string {
  return `follow:${authorId}:${followerId}:${at.toISOString().slice(0, 10)}`;
}
