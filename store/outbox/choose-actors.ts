/**
 * Decides which workflows a publish signals: that of the article, which waits for a scheduled time, or those of its deliveries. Where none
 * can have anything to do, no workflow is started. When in doubt, one is started: it reads the rows and ends.
 */
import type { ArticleStatus } from '../../article/types.ts';

export interface PublishedState {
  status: ArticleStatus;
  /** Before this publish; null for a new article. */
  statusBefore: ArticleStatus | null;
  /** The author has connected a destination, with accepted credentials or not. */
  hasConnections: boolean;
  /** In any state: with a copy to update or withdraw, an open attempt, a failure. */
  hasDeliveries: boolean;
}

/** `deliveries`: those that the article has when the outbox is emptied, which may be none. */
export type ActorsToWake = 'article' | 'deliveries' | 'none';

export function chooseActors({ status, statusBefore, hasConnections, hasDeliveries }: PublishedState): ActorsToWake {
  // A timer is due, or one runs that is not.
  if (status === 'SCHEDULED' || statusBefore === 'SCHEDULED') return 'article';
  return hasDeliveries || (status === 'PUBLISHED' && hasConnections) ? 'deliveries' : 'none';
}
