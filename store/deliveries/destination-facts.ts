/** What is known of an article's destinations when it is published; the answer to its author is made from it. */
import type { Transaction } from 'kysely';
import type { ArticleDraft, DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';
import { listCopiesOfArticles, type RemoteCopy } from './copies.ts';

export interface DestinationFacts {
  /** The author's, when the article was stored. */
  connected: DestinationKey[];
  /** Asked for by name, and not connected. */
  missing: DestinationKey[];
  /** Of an article that was there before. */
  copies: RemoteCopy[];
}

/** `connected` are the author's destinations. `article` is as this publish left it; one without deliveries has no copies, which spares a query. */
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
