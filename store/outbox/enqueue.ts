/** Outbox rows, in the transaction of the change, guarantee a signal to the workflow after it. */
import type { Kysely } from 'kysely';
import type { ArticleStatus, DestinationKey } from '../../article/types.ts';
import type { DB } from '../db/types.ts';

export async function enqueueArticle(db: Kysely<DB>, articleId: string): Promise<void> {
  await db.insertInto('outbox').values({ articleId }).execute();
}

export async function enqueueDelivery(db: Kysely<DB>, articleId: string, destination: DestinationKey): Promise<void> {
  await db.insertInto('outbox').values({ articleId, destination }).execute();
}

export interface PublishedState {
  status: ArticleStatus;
  /** Before this publish; null for a new article. */
  statusBefore: ArticleStatus | null;
  /** False with `syndicationMode: "local"`. */
  syndicate: boolean;
  /** Including connections with refused credentials. */
  hasConnections: boolean;
  /** In any state: with a copy, an open attempt, a failure. */
  hasDeliveries: boolean;
}

/** `deliveries`: those that exist when the entry is dispatched, possibly none. */
export type WorkflowsToWake = 'article' | 'deliveries' | 'none';

export function chooseWorkflows({
  status,
  statusBefore,
  syndicate,
  hasConnections,
  hasDeliveries,
}: PublishedState): WorkflowsToWake {
  // The article workflow must start, change or end its timer.
  if (status === 'SCHEDULED' || statusBefore === 'SCHEDULED') return 'article';
  return hasDeliveries || (status === 'PUBLISHED' && syndicate && hasConnections) ? 'deliveries' : 'none';
}
