/** Reads the copies of articles from the ledger. */
import { type Kysely, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { ConnectionStatus } from '../../delivery/types.ts';
import type { DB } from '../db/types.ts';

export interface RemoteCopy {
  destination: DestinationKey;
  /** Null if the copy's account is not connected. */
  connection: { platform: string; status: ConnectionStatus } | null;
  /** The account's name; null if it was never probed. */
  account: string | null;
  /** At an account other than the connected or last connected one. */
  isFormer: boolean;
  isSelected: boolean;
  url: string | null;
  isLive: boolean;
  /** An attempt has an unknown outcome, so the copy may not exist. */
  isUncertain: boolean;
  /** Has the content of an earlier revision. */
  isOutdated: boolean;
  /** The article was imported from here, and not published by its author since. */
  isOriginal: boolean;
  /** The author requested the withdrawal, which holds until a retry command. */
  isWithdrawn: boolean;
}

/** Live, uncertain and withdrawn copies at current and former accounts of the author's articles. */
export async function listCopiesOfArticles(
  db: Kysely<DB>,
  { authorId, articleIds }: { authorId: string; articleIds: readonly string[] },
): Promise<(RemoteCopy & { articleId: string })[]> {
  const { rows } = await sql<CopyRow>`
    select s.article_id, s.destination, case when c.id is null then s.remote_url else c.remote_url end as url, not at.is_here as is_former, s.is_selected,
      coalesce(c.presence = 'live', false) as is_live, coalesce(c.presence = 'uncertain', false) as is_uncertain,
      at.is_here and s.withdraw_requested as is_withdrawn, case when c.id is null then s.account else k.name end as account,
      s.imported and not s.withdraw_requested as is_original, c.revision is distinct from s.revision as is_outdated,
      case when at.is_here then s.connected_platform end as platform, case when at.is_here then s.connection_status end as status
    from delivery_states s left join (copies c join accounts k on k.id = c.account_id)
      on c.article_id = s.article_id and k.destination = s.destination and c.may_be_live
    cross join lateral (select c.id is null or (c.account_id = s.account_id and c.is_current) as is_here) at
    where s.article_id = any(${articleIds}) and s.author_id = ${authorId} and s.delivery_id is not null
      and (c.id is not null or s.withdraw_requested)
    order by s.destination, is_former, url`.execute(db);
  return rows.map(({ platform, status, ...copy }) => ({
    ...copy,
    connection: platform === null || status === null ? null : { platform, status },
  }));
}

type CopyRow = Omit<RemoteCopy, 'connection'> & {
  articleId: string;
  platform: string | null;
  status: ConnectionStatus | null;
};

/** A copy that remains at its destination when the author's account is deleted. */
export interface UndeletedCopy {
  /** The sort key, for `after`. */
  key: string;
  slug: string;
  title: string;
  destination: DestinationKey;
  /** The account's name; null if it was never probed. */
  account: string | null;
  url: string | null;
  isUncertain: boolean;
}

/** `after`: the key of the last copy of the previous page. */
export async function listUndeletedCopies(
  db: Kysely<DB>,
  authorId: string,
  { limit, after }: { limit: number; after: string | null },
): Promise<UndeletedCopy[]> {
  const { rows } = await sql<UndeletedCopy>`
    select * from (
      select (a.id || '/' || k.destination || '/' || c.id) collate "C" as key, a.slug, a.title, k.destination, k.name as account,
        c.remote_url as url, c.presence = 'uncertain' as is_uncertain
      ${fromRemaining(authorId)}
    ) remaining where key > ${after ?? ''} order by key limit ${limit}`.execute(db);
  return rows;
}

export async function countUndeletedCopies(db: Kysely<DB>, authorId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int ${fromRemaining(authorId)}`.execute(db);
  return rows[0]?.count ?? 0;
}

function fromRemaining(authorId: string) {
  return sql`from articles a join copies c on c.article_id = a.id join accounts k on k.id = c.account_id
      where a.author_id = ${authorId} and c.may_be_live`;
}
