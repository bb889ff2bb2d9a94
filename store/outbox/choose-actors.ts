/**
 * Which actors must hear of a publish. The article's waits for a scheduled hour; where there is none, and none that it may be waiting for, its deliveries
 * are woken directly, those that it asks for and those that it has. Where there is nothing of these, no workflow is started. In doubt one is
 * started: it reads the rows and ends.
 */
import type { ArticleStatus, DestinationKey } from '../../article/types.ts';

export interface PublishedState {
  status: ArticleStatus;
  /** Before this publish; null for a new article. */
  statusBefore: ArticleStatus | null;
  /** False with `syndicationMode: "local"`. */
  syndicate: boolean;
  /** What the article asks for now. */
  crossPost: Record<DestinationKey, boolean>;
  /** Of its author, whether the credentials are accepted or not. */
  connected: readonly DestinationKey[];
  /** In whatever state: of a copy that is to be updated or withdrawn, of an attempt whose outcome is open, of a failure. */
  hasDeliveries: boolean;
}

/** `deliveries`: those that the article concerns when the outbox is emptied. */
export type ActorsToWake = 'article' | 'deliveries' | 'none';

export function chooseActors(article: PublishedState): ActorsToWake {
  const { status, statusBefore, syndicate, crossPost, connected, hasDeliveries } = article;
  // A timer is due, or one runs that is not.
  if (status === 'SCHEDULED' || statusBefore === 'SCHEDULED') return 'article';
  if (hasDeliveries) return 'deliveries';
  // They were woken when it became public, and may be about to make rows that are not there yet.
  if (statusBefore === 'PUBLISHED' && connected.length > 0) return 'deliveries';
  const isAskedFor = status === 'PUBLISHED' && syndicate && connected.some((destination) => crossPost[destination]);
  return isAskedFor ? 'deliveries' : 'none';
}
