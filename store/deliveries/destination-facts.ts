/** What is known of an article's destinations when it is published; the answer to its author is made from it. */
import type { Transaction } from 'kysely';
import type { ArticleDraft, DestinationKey } from '../../article/types.ts';
import { listConnectedDestinations } from '../connections/list.ts';
import type { DB } from '../db/types.ts';
import { listCopies, type RemoteCopy } from './copies.ts';

export interface DestinationFacts {
  /** Asked for by name, and not connected. */
  missing: DestinationKey[];
  /** Of an article that was there before. */
  copies: RemoteCopy[];
}

/** `article` is as this publish left it; a new one has no copies, which spares a query. */
export async function readDestinationFacts(
  tx: Transaction<DB>,
  { authorId, draft }: { authorId: string; draft: ArticleDraft },
  article: { id: string; isNew: boolean },
): Promise<DestinationFacts> {
  const connected = draft.crossPostNamed.length === 0 ? [] : await listConnectedDestinations(tx, authorId);
  return {
    missing: draft.crossPostNamed.filter((key) => !connected.includes(key)),
    copies: article.isNew ? [] : await listCopies(tx, { authorId, articleId: article.id }),
  };
}
