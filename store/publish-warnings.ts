/** What the publish answer says about destinations: named but not connected, and copies that will stay public. */
import type { Transaction } from 'kysely';
import type { ArticleDraft, ArticleStatus, Notice } from '../article/types.ts';
import { listConnectedDestinations } from './connections.ts';
import type { DB } from './types.ts';

export interface PublishSituation {
  authorId: string;
  draft: ArticleDraft;
  status: ArticleStatus;
  existing: { id: string; status: ArticleStatus } | null;
}

export async function publishWarnings(tx: Transaction<DB>, situation: PublishSituation): Promise<Notice[]> {
  const { draft, existing, status } = situation;
  const warnings: Notice[] = [];
  if (draft.crossPostNamed.length > 0) {
    const connected = new Set(await listConnectedDestinations(tx, situation.authorId));
    for (const key of draft.crossPostNamed.filter((name) => !connected.has(name))) {
      const message = `cross_post asks for ${key}, but it is not connected; nothing is delivered there until you connect it.`;
      warnings.push({ code: 'destination_not_connected', path: `cross_post.${key}`, message });
    }
  }
  if (existing?.status === 'PUBLISHED' && status === 'DRAFT') warnings.push(...(await copiesOf(tx, existing.id)));
  return warnings;
}

async function copiesOf(tx: Transaction<DB>, articleId: string): Promise<Notice[]> {
  const copies = await tx
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .leftJoin('connections', (join) =>
      join
        .onRef('connections.userId', '=', 'articles.authorId')
        .onRef('connections.destination', '=', 'deliveries.destination')
        .on('connections.status', '=', 'active'),
    )
    .select(['deliveries.destination', 'deliveries.remoteUrl', 'connections.id as connectionId'])
    .where('deliveries.articleId', '=', articleId)
    .where('deliveries.remoteId', 'is not', null)
    .where('deliveries.withdrawnAt', 'is', null)
    .orderBy('deliveries.destination')
    .execute();
  return copies.map(({ destination, remoteUrl, connectionId }) => {
    const fate =
      connectionId === null
        ? 'stays live: the destination is not connected. Remove it there, or connect it and publish again.'
        : 'is being withdrawn as far as the platform allows; look there to be sure.';
    return { code: 'remote_copy_live', path: `cross_post.${destination}`, message: `The copy at ${remoteUrl} ${fate}` };
  });
}
