/** What an author has read. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { isUuid } from '../db/valid-keys.ts';

export interface ReadMark {
  userId: string;
  /** These only; all where undefined. */
  ids?: readonly string[] | undefined;
  /** Nothing newer than this one: what came since the list was shown stays unread. */
  upTo?: string | undefined;
  now: Date;
}

/** Ids of others and ids that do not exist are passed over; without `ids` an `upTo` that is not theirs marks nothing. */
export async function markRead(db: Kysely<DB>, { userId, ids, upTo, now }: ReadMark): Promise<void> {
  const wanted = ids?.filter(isUuid);
  if (wanted?.length === 0 || (upTo !== undefined && !isUuid(upTo))) return;
  await db
    .updateTable('notifications')
    .set({ readAt: now })
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    // What was not shown was not read.
    .where('withdrawnAt', 'is', null)
    .$if(wanted !== undefined, (query) => query.where('id', 'in', wanted as string[]))
    .$if(upTo !== undefined, (query) =>
      query.where(
        'number',
        '<=',
        sql<number>`(select number from notifications where id = ${upTo} and user_id = ${userId})`,
      ),
    )
    .execute();
}
