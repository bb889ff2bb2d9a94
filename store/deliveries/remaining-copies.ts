/** All copies of an author's articles that stay at destinations when the account is deleted: those that are live, and those that may be there. */
import { type Kysely, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';
import { isBroughtBack, isMade, mayBeMade } from './copies.ts';

export interface RemainingCopy {
  /** Where it stands in the list: text that grows. */
  key: string;
  slug: string;
  title: string;
  destination: DestinationKey;
  /** What the account is called at which it stands; null where that was never asked. */
  account: string | null;
  url: string | null;
  isUncertain: boolean;
}

/** `after` is the key of the last that is known. */
export async function listRemainingCopies(
  db: Kysely<DB>,
  authorId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<RemainingCopy[]> {
  const { rows } = await sql<RemainingCopy>`
    select c.key, a.slug, a.title, c.destination, k.name as account, c.url, c.is_uncertain
    from (${copiesOf(authorId)}) c join articles a on a.id = c.article_id left join accounts k on k.id = c.account_id
    where c.key > ${after ?? ''} order by c.key limit ${limit}`.execute(db);
  return rows;
}

export async function countRemainingCopies(db: Kysely<DB>, authorId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from (${copiesOf(authorId)}) c`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The key says article and destination first, so that the copies of one article stand together. */
const copiesOf = (authorId: string) => sql`
  select (a.id || '/' || d.destination || '/' || m.kind || '/' || coalesce(m.account_id::text, '')) collate "C" as key,
    a.id as article_id, d.destination, m.account_id, m.url, m.is_uncertain
  from articles a join deliveries d on d.article_id = a.id cross join lateral (
    select 'copy' as kind, d.account_id, d.remote_url as url, d.withdrawn_at is not null and not ${isBroughtBack(isMade)} as is_uncertain
      where d.remote_id is not null and (d.withdrawn_at is null or ${isBroughtBack(isMade)} or ${isBroughtBack(mayBeMade)})
    union all
    select 'former', f.account_id, f.remote_url, false from former_posts f where f.delivery_id = d.id and f.withdrawn_at is null
    union all
    select 'open', t.account_id, t.answer #>> '{remote,url}', not ${isMade} from delivery_attempts t
      where t.delivery_id = d.id and t.action = 'create' and t.ended_at is null and (${isMade} or ${mayBeMade})
  ) m where a.author_id = ${authorId}`;
