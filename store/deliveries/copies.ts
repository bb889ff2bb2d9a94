/** An article's copies at its destinations, as far as the ledger knows. */
import { type Kysely, sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { ConnectionStatus } from '../../delivery/types.ts';
import type { DB } from '../db/types.ts';

export interface RemoteCopy {
  destination: DestinationKey;
  /** Null where the destination is not connected. */
  connection: { platform: string; status: ConnectionStatus } | null;
  url: string | null;
  /** Readers find it there. */
  isLive: boolean;
  /** Carries the article as it was in an earlier revision. */
  isOutdated: boolean;
  /** Its author asked to take it back, which holds until the author retries the delivery. */
  isWithdrawn: boolean;
}

/** The copies of one's own article that are live, or that its author withdrew; none for anybody else's. */
export async function listCopies(
  db: Kysely<DB>,
  { authorId, articleId }: { authorId: string; articleId: string },
): Promise<RemoteCopy[]> {
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .leftJoin('connections', (join) =>
      join
        .onRef('connections.userId', '=', 'articles.authorId')
        .onRef('connections.destination', '=', 'deliveries.destination'),
    )
    .select(['deliveries.destination', 'deliveries.remoteUrl as url', 'deliveries.withdrawRequested as isWithdrawn'])
    .select(['connections.platform', 'connections.status'])
    .select(sql<boolean>`deliveries.delivered_revision is distinct from articles.revision`.as('isOutdated'))
    .select(sql<boolean>`deliveries.remote_id is not null and deliveries.withdrawn_at is null`.as('isLive'))
    .where('articles.id', '=', articleId)
    .where('articles.authorId', '=', authorId)
    .orderBy('deliveries.destination')
    .execute();
  return rows
    .filter(({ isLive, isWithdrawn }) => isLive || isWithdrawn)
    .map(({ platform, status, ...copy }) => ({
      ...copy,
      connection: platform === null || status === null ? null : { platform, status },
    }));
}
