/** Readers' reactions to an article. They notify nobody; the digest counts them. */
import { requirePublicArticle } from '../articles/find-public.ts';
import type { Database } from '../db/database.ts';
import type { ReactionKind } from '../db/types.ts';
import { lockActiveUser } from '../users/lock-user.ts';

export const REACTION_KINDS = ['like', 'love', 'insightful', 'celebrate'] as const satisfies ReactionKind[];

export interface ReactionTarget {
  userId: string;
  slug: string;
  kind: ReactionKind;
}

/** Stored once per user and kind. Throws SUSPENDED, NOT_FOUND. */
export function react(db: Database, { userId, slug, kind, now }: ReactionTarget & { now: Date }): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockActiveUser(tx, userId);
    const { id: articleId } = await requirePublicArticle(tx, slug);
    await tx
      .insertInto('reactions')
      .values({ articleId, userId, kind, createdAt: now })
      .onConflict((conflict) => conflict.columns(['articleId', 'userId', 'kind']).doNothing())
      .execute();
  });
}

/** Does nothing if there is no such reaction. Throws NOT_FOUND. */
export async function unreact(db: Database, { userId, slug, kind }: ReactionTarget): Promise<void> {
  const { id: articleId } = await requirePublicArticle(db, slug);
  await db
    .deleteFrom('reactions')
    .where('articleId', '=', articleId)
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .execute();
}

export async function listOwnReactions(
  db: Database,
  { articleId, userId }: { articleId: string; userId: string },
): Promise<ReactionKind[]> {
  const rows = await db
    .selectFrom('reactions')
    .select('kind')
    .where('articleId', '=', articleId)
    .where('userId', '=', userId)
    .execute();
  return rows.map(({ kind }) => kind);
}

export interface ReactionCount {
  kind: ReactionKind;
  count: number;
  /** Whether the viewer has this reaction. */
  isMine: boolean;
}

/** Every kind, in the order of REACTION_KINDS. Suspended users are not counted. */
export async function countReactions(
  db: Database,
  { articleId, viewerId }: { articleId: string; viewerId: string | null },
): Promise<ReactionCount[]> {
  const rows = await db
    .selectFrom('reactions')
    .innerJoin('users', 'users.id', 'reactions.userId')
    .select((eb) => [
      'kind',
      eb.fn.countAll<number>().as('count'),
      eb.fn.coalesce(eb.fn.agg<boolean>('bool_or', [eb('userId', '=', viewerId)]), eb.lit(false)).as('isMine'),
    ])
    .where('articleId', '=', articleId)
    .where('users.suspendedAt', 'is', null)
    .groupBy('kind')
    .execute();
  return REACTION_KINDS.map((kind) => rows.find((row) => row.kind === kind) ?? { kind, count: 0, isMine: false });
}
