/** An article's copies at its destinations, as far as the ledger knows. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { ConnectionStatus } from '../../delivery/types.ts';
import type { DB } from '../db/types.ts';

export interface RemoteCopy {
  destination: DestinationKey;
  /** Null where the account at which it stands is not connected. */
  connection: { platform: string; status: ConnectionStatus } | null;
  /** What that account is called; null where that was never asked. */
  account: string | null;
  /** Another account is, or was, connected in the place of this one. */
  isFormer: boolean;
  url: string | null;
  /** Readers find it there. */
  isLive: boolean;
  /** The outcome of the attempt that would have made it is not known: it may be there, or not. */
  isUncertain: boolean;
  /** Carries the article as it was in an earlier revision. */
  isOutdated: boolean;
  /** The article was imported from there, and not published by its author since. */
  isOriginal: boolean;
  /** Its author asked to take it back, which holds until the author retries the delivery. */
  isWithdrawn: boolean;
}

/**
 * The copies of one's own article that are live, that may be there, or that its author withdrew; none for anybody else's. At whichever account
 * they stand.
 */
export async function listCopies(
  db: Kysely<DB>,
  { authorId, articleId }: { authorId: string; articleId: string },
): Promise<RemoteCopy[]> {
  const copies = await listCopiesOfArticles(db, { authorId, articleIds: [articleId] });
  return copies.map(({ articleId: _, ...copy }) => copy);
}

/** The same of several articles, in one query. */
export async function listCopiesOfArticles(
  db: Kysely<DB>,
  { authorId, articleIds }: { authorId: string; articleIds: readonly string[] },
): Promise<(RemoteCopy & { articleId: string })[]> {
  const { rows } = await sql<CopyRow>`
    with copies as (
      select id, article_id, destination, account_id, false as is_former, remote_url, delivered_revision, withdraw_requested,
        ${isLive} as is_live, ${isPerhapsBack} as is_uncertain
      from deliveries d where article_id = any(${articleIds})
      union all
      select d.id, d.article_id, d.destination, f.account_id, true, f.remote_url, f.delivered_revision, false, f.withdrawn_at is null, false
      from deliveries d join former_posts f on f.delivery_id = d.id where d.article_id = any(${articleIds})
      union all
      select d.id, d.article_id, d.destination, t.account_id, t.account_id <> d.account_id, t.answer #>> '{remote,url}', t.revision, false, ${isMade}, not ${isMade}
      from deliveries d join delivery_attempts t on t.delivery_id = d.id
      where d.article_id = any(${articleIds}) and t.action = 'create' and t.ended_at is null and (${isMade} or ${mayBeMade})
    )
    select m.article_id, m.destination, m.remote_url as url, m.is_former, m.is_live, m.is_uncertain, m.withdraw_requested as is_withdrawn, k.name as account,
      a.imported and not m.withdraw_requested as is_original,
      c.platform, c.status, m.delivered_revision is distinct from a.revision as is_outdated
    from copies m join articles a on a.id = m.article_id and a.author_id = ${authorId}
    left join accounts k on k.id = m.account_id
    left join connections c on c.user_id = a.author_id and c.destination = m.destination and not m.is_former
    where m.is_live or m.is_uncertain or m.withdraw_requested
    order by m.destination, m.is_former, m.remote_url`.execute(db);
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

/** Of the create `t`, whose outcome is open: what its answer says of a post, as `readRemains` reads it. */
export const isMade = sql<boolean>`coalesce(t.answer ->> 'kind' = 'done', false)`;
export const mayBeMade = sql<boolean>`(coalesce(t.answer ->> 'kind', 'unknown') = 'unknown'
  or (t.answer ->> 'kind' = 'rejected' and coalesce((t.answer ->> 'maybeSaved')::boolean, false)))`;

/**
 * An update whose outcome is open put the withdrawn post of `d` back before readers, or may have, by what `answers` says of the attempt `t`.
 * Published again is not recorded as such before the attempt has ended.
 */
export function isBroughtBack(answers: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql`exists (select from delivery_attempts t where t.delivery_id = d.id and t.account_id = d.account_id
    and t.action = 'update' and t.ended_at is null and ${answers})`;
}

/** Readers find the post of `d`. */
export const isLive = sql<boolean>`(d.remote_id is not null and (d.withdrawn_at is null or ${isBroughtBack(isMade)}))`;

/** The post of `d` was withdrawn, and readers may find it all the same. */
export const isPerhapsBack = sql<boolean>`(d.remote_id is not null and d.withdrawn_at is not null and ${isBroughtBack(mayBeMade)})`;
