/** Reads the destination state at a publish, from which the response's warnings are built. */
import type { Transaction } from 'kysely';
import type { ArticleDraft, DestinationKey } from '../../article/types.ts';
import { listCopiesOfArticles, type RemoteCopy } from '../copies/copies.ts';
import type { DB } from '../db/types.ts';

export interface DestinationFacts {
  /** The author's connected destinations when the article was stored. */
  connected: DestinationKey[];
  /** Named in `cross_post`, but not connected. */
  missing: DestinationKey[];
  /** Empty for a new article. */
  copies: RemoteCopy[];
}

/** Reads the facts after this publish. Without deliveries there are no copies to query. */
export async function readDestinationFacts(
  tx: Transaction<DB>,
  { authorId, draft }: { authorId: string; draft: ArticleDraft },
  { id: articleId, connected, hasDeliveries }: { id: string; connected: DestinationKey[]; hasDeliveries: boolean },
): Promise<DestinationFacts> {
  return {
    connected,
    missing: draft.crossPostNamed.filter((key) => !connected.includes(key)),
    copies: hasDeliveries ? await listCopiesOfArticles(tx, { authorId, articleIds: [articleId] }) : [],
  };
}
