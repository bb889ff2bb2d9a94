/** An author's articles at five destinations: what the desk has to show. */
import { sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { Platform } from '../../destinations/types.ts';
import { provideAccount } from '../../store/connections/accounts.ts';
import type { Database } from '../../store/db/database.ts';

const DESTINATIONS: readonly [DestinationKey, Platform][] = [
  ['blogsite_a', 'forem'],
  ['blogsite_b', 'hashnode'],
  ['blogsite_c', 'medium'],
  ['cms_site', 'ghost'],
  ['social_feed', 'linkedin'],
];

/** Every article of the author stands at each, delivered by one attempt; each tenth failed at one of them, and says why. */
export async function fillDesk(db: Database, userId: string): Promise<void> {
  for (const [destination, platform] of DESTINATIONS) {
    const connection = { userId, destination, platform, baseUrl: 'http://127.0.0.1:9' };
    const accountId = await provideAccount(db, { ...connection, account: null });
    const values = { ...connection, accountId, credentialsSealed: Buffer.alloc(1) };
    await db.insertInto('connections').values(values).execute();
    await sql`
      with numbered as (
        select id, slug, dispatch, ${destination} = 'blogsite_a' and row_number() over (order by published_at desc) % 10 = 0 as failed
        from articles where author_id = ${userId}
      ), made as (
        insert into deliveries (article_id, destination, account_id, state, remote_id, remote_url, handled_dispatch, attempts, last_error_code,
          last_error)
        select id, ${destination}, ${accountId}, case when failed then 'failed' else 'delivered' end, case when not failed then slug end,
          case when not failed then 'https://blog.example/' || slug end, dispatch, 1, case when failed then 'rejected' end,
          case when failed then 'The destination refused it: the body has a tag that is not allowed there.' end
        from numbered returning id, state, account_id
      )
      insert into delivery_attempts (delivery_id, number, account_id, action, dispatch, revision, content_hash, look_up, outcome, ended_at)
      select id, 1, account_id, 'create', 1, 1, '', '{}', case when state = 'failed' then 'failed' else 'delivered' end, now() from made`.execute(
      db,
    );
  }
  for (const table of ['deliveries', 'delivery_attempts']) await sql`vacuum analyze ${sql.table(table)}`.execute(db);
}
