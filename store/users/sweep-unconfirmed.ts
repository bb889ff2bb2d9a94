/** Deletes accounts not confirmed within thirty days, so that the address owner can register. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

export const MAX_UNCONFIRMED_ACCOUNT_DAYS = 30;
/** Per transaction, so that locks are short; the next sweep continues. */
const BATCH_SIZE = 500;

/**
 * An account with an article stays, even a deleted one: its address answers 410, and its deliveries
 * name existing copies. All other rows are deleted with the account.
 */
const HOLDS_ARTICLE = sql`exists (select from articles a where a.author_id = users.id)`;

/** An open link or a pending mail: a request on the last day gets its full time too. */
const isBeingConfirmed = (now: Date) => sql`(
  exists (select from mail_links l where l.user_id = users.id and l.used_at is null and l.expires_at > ${now})
  or exists (select from mails m where m.user_id = users.id and m.state in ('pending', 'sending')))`;

/** Suspended accounts stay, so that their names and addresses stay taken. */
export async function sweepUnconfirmedAccounts(db: Database, now: Date): Promise<void> {
  const end = new Date(now.getTime() - MAX_UNCONFIRMED_ACCOUNT_DAYS * 24 * 3_600_000);
  const isAbandoned = sql`not ${HOLDS_ARTICLE} and not ${isBeingConfirmed(now)}`;
  await db.transaction().execute(async (tx) => {
    // Locks first and checks again in the next statement: nobody can add to or confirm them in
    // between.
    const { rows } = await sql<{ id: string }>`select id from users
      where email_confirmed_at is null and deleted_at is null and suspended_at is null and created_at < ${end} and ${isAbandoned}
      order by created_at limit ${BATCH_SIZE} for update skip locked`.execute(tx);
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await sql`delete from users where id = any(${ids}::uuid[]) and ${isAbandoned}`.execute(tx);
  });
}
