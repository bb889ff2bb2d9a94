/** What each account that an author has connected is used for. */
import { type Kysely, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';

export interface ConnectionUse {
  destination: DestinationKey;
  /** How many copies stand at the account. */
  copies: number;
  /** How many deliveries wait for a credential that works. */
  held: number;
  /** What came there last; null where nothing has. */
  last: { at: Date; title: string; url: string | null } | null;
}

export async function listConnectionUses(db: Kysely<DB>, userId: string): Promise<ConnectionUse[]> {
  const { rows } = await sql<UseRow>`
    select c.destination, l.at, l.title, l.url,
      (select count(*)::int from deliveries d join articles a on a.id = d.article_id
        where d.account_id = c.account_id and a.author_id = c.user_id and d.remote_id is not null and d.withdrawn_at is null) as copies,
      (select count(*)::int from deliveries d where d.connection_id = c.id and d.state = 'held') as held
    from connections c left join lateral (
      select t.ended_at as at, a.title, d.remote_url as url
      from delivery_attempts t join deliveries d on d.id = t.delivery_id
        join articles a on a.id = d.article_id and a.author_id = c.user_id
      where t.account_id = c.account_id and t.outcome in ('delivered', 'adopted') and t.ended_at is not null
      order by t.ended_at desc limit 1
    ) l on true
    where c.user_id = ${userId}`.execute(db);
  return rows.map(({ at, title, url, ...use }) => ({ ...use, last: at && { at, title: title ?? '', url } }));
}

interface UseRow extends Omit<ConnectionUse, 'last'> {
  at: Date | null;
  title: string | null;
  url: string | null;
}
