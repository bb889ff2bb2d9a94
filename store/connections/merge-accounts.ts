/** Two rows turn out to be one account: what is known of its posts becomes one, so that none is sent or listed twice. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

/**
 * Everything that was at `from` is at `into` afterwards. Only where both know a post of one article, and not the same one, does the older
 * knowledge stay with `from`: both posts exist.
 */
export async function mergeAccounts(tx: Kysely<DB>, { from, into }: { from: string; into: string }): Promise<void> {
  await sql`update connections set account_id = ${into} where account_id = ${from}`.execute(tx);
  // Locked in the order in which a change of the account locks them.
  await sql`select from deliveries where account_id in (${from}, ${into})
    or id in (select delivery_id from former_posts where account_id = ${from}) order by id for update`.execute(tx);
  await forgetSamePosts(tx, from, into);
  await sql`update deliveries d set account_id = ${into} where account_id = ${from}
    and not exists (select from former_posts f where f.delivery_id = d.id and f.account_id = ${into})`.execute(tx);
  await sql`update former_posts f set account_id = ${into} where account_id = ${from}
    and not exists (select from former_posts g where g.delivery_id = f.delivery_id and g.account_id = ${into})
    and not exists (select from deliveries d where d.id = f.delivery_id and d.account_id = ${into})`.execute(tx);
  await sql`update delivery_attempts t set account_id = ${into} where account_id = ${from}
    and not exists (select from deliveries d where d.id = t.delivery_id and d.account_id = ${from})
    and (ended_at is not null or not exists (
      select from delivery_attempts o where o.delivery_id = t.delivery_id and o.account_id = ${into} and o.ended_at is null
    ))`.execute(tx);
  await sql`delete from accounts a where id = ${from}
    and not exists (select from deliveries where account_id = a.id)
    and not exists (select from former_posts where account_id = a.id)
    and not exists (select from delivery_attempts where account_id = a.id)`.execute(tx);
}

/** One post that both rows name is kept once: where it is the delivery's, there. */
async function forgetSamePosts(tx: Kysely<DB>, from: string, into: string): Promise<void> {
  await sql`delete from former_posts f using deliveries d where d.id = f.delivery_id and d.remote_id = f.remote_id
    and (f.account_id, d.account_id) in ((${from}::uuid, ${into}::uuid), (${into}::uuid, ${from}::uuid))`.execute(tx);
  await sql`delete from former_posts f using former_posts g where g.delivery_id = f.delivery_id and g.remote_id = f.remote_id
    and f.account_id = ${from} and g.account_id = ${into}`.execute(tx);
}
