/** Erases articles for good. Their addresses (410) and the ledger of their copies remain. */
import { sql, type Transaction } from 'kysely';
import type { DB } from '../db/types.ts';
import { ERASED_NAMES, ERASED_TEXT } from './fields.ts';

/**
 * Erases all articles of a deleted account, names included, since nobody can restore them. Articles
 * with a schedule or deliveries go to the outbox at low priority, so that their workflows end. A
 * paused delivery gets a command of its own, because a publish does not shorten its pause.
 */
export async function eraseArticlesOf(tx: Transaction<DB>, authorId: string, now: Date): Promise<void> {
  await sql`
    insert into outbox (article_id, may_wait) select a.id, true from articles a
    where a.author_id = ${authorId} and (a.status <> 'DRAFT' or exists (select from deliveries d where d.article_id = a.id))`.execute(
    tx,
  );
  await sql`
    insert into outbox (article_id, destination, may_wait) select a.id, d.destination, true
    from articles a join deliveries d on d.article_id = a.id
    where a.author_id = ${authorId} and d.due_at is not null`.execute(tx);
  await tx
    .updateTable('articles')
    .set((eb) => ({
      ...ERASED_TEXT,
      ...ERASED_NAMES,
      canonicalKey: sql`'self:' || slug`,
      status: 'DRAFT',
      deletedAt: eb.fn.coalesce('deletedAt', eb.val(now)),
      revision: eb('revision', '+', 1),
      dispatch: eb('dispatch', '+', 1),
      dispatchedAt: now,
      updatedAt: now,
    }))
    .where('authorId', '=', authorId)
    .execute();
  await sql`delete from article_notices n using articles a where a.id = n.article_id and a.author_id = ${authorId}`.execute(
    tx,
  );
}
