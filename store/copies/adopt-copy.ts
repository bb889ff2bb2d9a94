/** Adopts a post found at an account as the article's copy. */
import type { Transaction } from 'kysely';
import { NOW } from '../db/now.ts';
import type { DB } from '../db/types.ts';

/** Makes the post the current copy at the account, replacing any other. Returns the copy's id. */
export async function adoptCopy(
  tx: Transaction<DB>,
  { articleId, accountId }: { articleId: string; accountId: string },
  { remoteId, url }: { remoteId: string; url: string },
): Promise<string> {
  const key = { articleId, accountId };
  const known = await tx
    .selectFrom('copies')
    .select('id')
    .where('accountId', '=', accountId)
    .where('articleId', '=', articleId)
    .where((eb) =>
      eb.or([eb('remoteId', '=', remoteId), eb.and([eb('isCurrent', '=', true), eb('remoteId', 'is', null)])]),
    )
    .orderBy('remoteId', (order) => order.asc().nullsLast())
    .executeTakeFirst();
  const values = {
    remoteId,
    remoteUrl: url,
    remoteChangedAt: null,
    contentHash: null,
    revision: null,
    withdrawnAt: null,
  };
  const copy = { ...values, presence: 'live', isCurrent: true, updatedAt: NOW } as const;
  await tx
    .updateTable('copies')
    .set({ isCurrent: false })
    .where('articleId', '=', articleId)
    .where('accountId', '=', accountId)
    .where('isCurrent', '=', true)
    .execute();
  const row = known
    ? await tx.updateTable('copies').set(copy).where('id', '=', known.id).returning('id').executeTakeFirstOrThrow()
    : await tx
        .insertInto('copies')
        .values({ ...key, ...copy })
        .returning('id')
        .executeTakeFirstOrThrow();
  return row.id;
}
