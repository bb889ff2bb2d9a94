/** Deletes accounts not confirmed within thirty days, so that the owner can use the address. */
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

export const UNCONFIRMED_DAYS = 30;
/** In one transaction, which holds no lock for long; the next sweep goes on. */
const BATCH = 500;

/**
 * An account with an article is not deleted, even if the article is: its address answers 410, and
 * its deliveries name existing copies. All other rows are deleted with the account.
 */
const HOLDS_ARTICLE = sql`exists (select from articles a where a.author_id = users.id)`;

/** By a link that still does something, or a mail that is about to bring one: who asks again on the last day has all its days too. */
const isBeingConfirmed = (now: Date) => sql`(
  exists (select from mail_links l where l.user_id = users.id and l.used_at is null and l.expires_at > ${now})
  or exists (select from mails m where m.user_id = users.id and m.state in ('pending', 'sending')))`;

/** Suspended ones stay, so that their names and addresses stay taken. */
export async function sweepUnconfirmedAccounts(db: Database, now: Date): Promise<void> {
  const end = new Date(now.getTime() - UNCONFIRMED_DAYS * 24 * 3_600_000);
  const isAbandoned = sql`not ${HOLDS_ARTICLE} and not ${isBeingConfirmed(now)}`;
  await db.transaction().execute(async (tx) => {
    // Locked first, and looked at by the statement after: nobody can add anything to them in between, nor confirm.
    const { rows } = await sql<{ id: string }>`select id from users
      where email_confirmed_at is null and deleted_at is null and suspended_at is null and created_at < ${end} and ${isAbandoned}
      order by created_at limit ${BATCH} for update skip locked`.execute(tx);
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await sql`delete from users where id = any(${ids}::uuid[]) and ${isAbandoned}`.execute(tx);
  });
}
