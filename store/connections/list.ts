/** Reads connections without their credentials. */
import { type Kysely, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';

/** The platform of each connected destination, including those with refused credentials. */
export type ConnectedPlatforms = Partial<Record<DestinationKey, string>>;

/** A column for queries on `users`. */
export const connectedPlatforms =
  sql<ConnectedPlatforms>`(select coalesce(jsonb_object_agg(destination, platform), '{}')
  from connections where user_id = users.id)`.as('platforms');

export function listConnections(db: Kysely<DB>, userId: string) {
  return db
    .selectFrom('connections')
    .innerJoin('accounts', 'accounts.id', 'connections.accountId')
    .select(['connections.destination', 'connections.platform', 'baseUrl', 'accounts.name as account', 'status'])
    .select(['statusReason', 'blockedUntil', 'connections.createdAt', 'connections.updatedAt'])
    .where('connections.userId', '=', userId)
    .orderBy('connections.destination')
    .execute();
}

export function findConnection(db: Database, userId: string, destination: DestinationKey) {
  return db
    .selectFrom('connections')
    .select(['id', 'platform', 'baseUrl', 'version', 'status', 'statusReason'])
    .where('userId', '=', userId)
    .where('destination', '=', destination)
    .executeTakeFirst();
}

export interface ConnectionUse {
  destination: DestinationKey;
  /** Live copies at the account. */
  copies: number;
  /** Deliveries held for a valid credential. */
  held: number;
  /** The last delivery; null if there is none. */
  last: { at: Date; title: string; url: string | null } | null;
}

/** Finds the last attempt before it joins the article, so that only one article is read. */
export async function listConnectionUses(db: Kysely<DB>, userId: string): Promise<ConnectionUse[]> {
  const { rows } = await sql<UseRow>`
    select c.destination, last.at, a.title, p.remote_url as url,
      (select count(*)::int from copies where account_id = c.account_id and presence = 'live') as copies,
      case when c.status = 'active' then 0 else (select count(*)::int from delivery_states s
        where s.author_id = c.user_id and s.destination = c.destination and s.state = 'held') end as held
    from connections c left join lateral (
      select copy_id, ended_at as at from delivery_attempts
      where account_id = c.account_id and outcome in ('delivered', 'adopted') and ended_at is not null
      order by ended_at desc limit 1
    ) last on true left join copies p on p.id = last.copy_id left join articles a on a.id = p.article_id
    where c.user_id = ${userId}`.execute(db);
  return rows.map(({ at, title, url, ...use }) => ({ ...use, last: at && { at, title: title ?? '', url } }));
}

interface UseRow extends Omit<ConnectionUse, 'last'> {
  at: Date | null;
  title: string | null;
  url: string | null;
}
