/** Creates an author's articles at five destinations for the desk. */
import { sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { Platform } from '../../destinations/types.ts';
import { findOrCreateAccount } from '../../store/connections/accounts.ts';
import type { Database } from '../../store/db/database.ts';

const DESTINATIONS: readonly [DestinationKey, Platform][] = [
  ['blogsite_a', 'forem'],
  ['blogsite_b', 'hashnode'],
  ['blogsite_c', 'medium'],
  ['cms_site', 'ghost'],
  ['social_feed', 'linkedin'],
];

/**
 * Adds a delivered copy of every article at each destination. Every tenth article failed at one of
 * them, with a reason.
 */
export async function fillDesk(db: Database, userId: string): Promise<void> {
  for (const [destination, platform] of DESTINATIONS) {
    const connection = { userId, destination, platform, baseUrl: 'http://127.0.0.1:9' };
    const accountId = await findOrCreateAccount(db, { ...connection, account: { identity: userId, name: null } });
    const values = { ...connection, accountId, credentialsSealed: Buffer.alloc(1) };
    await db.insertInto('connections').values(values).execute();
    await sql`
      with numbered as (
        select id, slug, dispatch, ${destination} = 'blogsite_a' and row_number() over (order by published_at desc) % 10 = 0 as failed
        from articles where author_id = ${userId}
      ), made as (
        insert into deliveries (article_id, destination, handled_dispatch) select id, ${destination}, dispatch from numbered
        on conflict (article_id, destination) do update set handled_dispatch = excluded.handled_dispatch, due_at = null
        returning id, article_id
      ), copied as (
        insert into copies (article_id, account_id, remote_id, remote_url, content_hash, revision, presence)
        select id, ${accountId}, slug, 'https://blog.example/' || slug, '', 1, 'live' from numbered where not failed
        returning id, article_id
      )
      insert into delivery_attempts (delivery_id, account_id, copy_id, action, dispatch, revision, content_hash, look_up, outcome, ended_at, code, reason)
      select made.id, ${accountId}, copied.id, 'create', dispatch, 1, '', '{}', case when failed then 'failed' else 'delivered' end, now(),
        case when failed then 'rejected' end,
        case when failed then 'The destination refused it: the body has a tag that is not allowed there.' end
      from numbered join made on made.article_id = numbered.id left join copied on copied.article_id = numbered.id`.execute(
      db,
    );
  }
  for (const table of ['deliveries', 'delivery_attempts', 'copies'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db);
}
