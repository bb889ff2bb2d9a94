/** Marks a user's notifications as read. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { isUuid } from '../db/valid-keys.ts';

export interface ReadMark {
  userId: string;
  /** Only these ids; all if undefined. */
  ids?: readonly string[] | undefined;
  /** Only up to this id, so that notifications added since the list was shown stay unread. */
  upTo?: string | undefined;
  now: Date;
}

/** Ignores foreign and unknown ids. Without `ids`, a foreign `upTo` marks nothing. */
export async function markRead(db: Kysely<DB>, { userId, ids, upTo, now }: ReadMark): Promise<void> {
  const validIds = ids?.filter(isUuid);
  if (validIds?.length === 0 || (upTo !== undefined && !isUuid(upTo))) return;
  await db
    .updateTable('notifications')
    .set({ readAt: now })
    .where('userId', '=', userId)
    .where('readAt', 'is', null)
    // A withdrawn notification was not shown, so it is not read.
    .where('withdrawnAt', 'is', null)
    .$if(validIds !== undefined, (query) => query.where('id', 'in', validIds as string[]))
    .$if(upTo !== undefined, (query) =>
      query.where(
        'number',
        '<=',
        sql<number>`(select number from notifications where id = ${upTo} and user_id = ${userId})`,
      ),
    )
    .execute();
}
