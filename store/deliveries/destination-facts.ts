/** What is known of an article's destinations when it is published; who answers the author puts it into words. */
import { sql, type Transaction } from 'kysely';
import type { ArticleDraft, DestinationKey } from '../../article/types.ts';
import type { ConnectionStatus } from '../../delivery/types.ts';
import { listConnectedDestinations } from '../connections/list.ts';
import type { DB } from '../db/types.ts';

export interface DestinationFacts {
  /** Asked for by name, and not connected. */
  missing: DestinationKey[];
  /** Of an article that was there before. */
  copies: RemoteCopy[];
}

export interface RemoteCopy {
  destination: DestinationKey;
  /** Null where the destination is not connected. */
  connection: { platform: string; status: ConnectionStatus } | null;
  url: string | null;
  /** In public there, as far as is known. */
  isLive: boolean;
  /** Carries the article as it was in an earlier revision. */
  isOutdated: boolean;
  /** Its author had it taken back, which holds until the author takes that word back. */
  isWithdrawn: boolean;
}

/** `article` is as this publish left it; `isNew` spares a look at a ledger that has no lines yet. */
export async function readDestinationFacts(
  tx: Transaction<DB>,
  { authorId, draft }: { authorId: string; draft: ArticleDraft },
  article: { id: string; revision: number; isNew: boolean },
): Promise<DestinationFacts> {
  const connected = draft.crossPostNamed.length === 0 ? [] : await listConnectedDestinations(tx, authorId);
  return {
    missing: draft.crossPostNamed.filter((key) => !connected.includes(key)),
    copies: article.isNew ? [] : await listCopies(tx, article),
  };
}

async function listCopies(tx: Transaction<DB>, article: { id: string; revision: number }): Promise<RemoteCopy[]> {
  const rows = await tx
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .leftJoin('connections', (join) =>
      join
        .onRef('connections.userId', '=', 'articles.authorId')
        .onRef('connections.destination', '=', 'deliveries.destination'),
    )
    .select(['deliveries.destination', 'deliveries.remoteUrl', 'deliveries.deliveredRevision'])
    .select(['deliveries.withdrawRequested', 'connections.platform', 'connections.status'])
    .select(sql<boolean>`deliveries.remote_id is not null and deliveries.withdrawn_at is null`.as('isLive'))
    .where('deliveries.articleId', '=', article.id)
    .orderBy('deliveries.destination')
    .execute();
  return rows
    .filter(({ isLive, withdrawRequested }) => isLive || withdrawRequested)
    .map(({ platform, status, remoteUrl, deliveredRevision, withdrawRequested, ...row }) => ({
      ...row,
      connection: platform === null || status === null ? null : { platform, status },
      url: remoteUrl,
      isOutdated: deliveredRevision !== article.revision,
      isWithdrawn: withdrawRequested,
    }));
}
