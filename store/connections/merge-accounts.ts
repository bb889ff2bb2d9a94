/** Merges two rows of one account, so that no post is sent or listed twice. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

/**
 * Moves everything from `from` to `into`. Merges copies of the same post. Two posts of one article
 * remain two copies, of which the one of `into` is current. The caller holds the deliveries' locks.
 */
export async function mergeAccounts(tx: Kysely<DB>, { from, into }: { from: string; into: string }): Promise<void> {
  await sql`update connections set account_id = ${into} where account_id = ${from}`.execute(tx);
  const open = sql`select from delivery_attempts o where o.delivery_id = t.delivery_id and o.account_id = ${into} and o.ended_at is null`;
  await sql`update delivery_attempts t set outcome = 'void', ended_at = clock_timestamp()
    where account_id = ${from} and ended_at is null and exists (${open})`.execute(tx);
  const known = sql`from copies c where c.account_id = ${into} and c.article_id = m.article_id`;
  await sql`update delivery_attempts t set account_id = ${into}, copy_id = coalesce(
      (select c.id from copies m join copies c on c.account_id = ${into} and c.article_id = m.article_id
        and (c.remote_id = m.remote_id or (m.remote_id is null and c.is_current)) where m.id = t.copy_id), t.copy_id)
    where account_id = ${from}`.execute(tx);
  await sql`delete from copies m where account_id = ${from}
    and (exists (select ${known} and (c.remote_id = m.remote_id or (m.remote_id is null and c.is_current)))
      or exists (select from copies c where c.account_id = ${into} and c.remote_id = m.remote_id))`.execute(tx);
  await sql`update copies m set account_id = ${into}, is_current = is_current and not exists (select ${known} and c.is_current)
    where account_id = ${from}`.execute(tx);
  await sql`update accounts set connected_at = greatest(connected_at, (select connected_at from accounts where id = ${from})) where id = ${into}`.execute(
    tx,
  );
  await sql`delete from accounts where id = ${from}`.execute(tx);
}
