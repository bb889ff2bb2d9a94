/**
 * Decides which workflows a publish signals: the article's, which waits for a scheduled time, its
 * deliveries', or none. When in doubt, it chooses one: the workflow reads the rows and ends.
 */
import type { ArticleStatus } from '../../article/types.ts';

export interface PublishedState {
  status: ArticleStatus;
  /** Before this publish; null for a new article. */
  statusBefore: ArticleStatus | null;
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
  hasConnections,
  hasDeliveries,
}: PublishedState): WorkflowsToWake {
  // The article workflow must start, change or end its timer.
  if (status === 'SCHEDULED' || statusBefore === 'SCHEDULED') return 'article';
  return hasDeliveries || (status === 'PUBLISHED' && hasConnections) ? 'deliveries' : 'none';
}
