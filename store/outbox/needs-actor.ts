/**
 * Whether an article's actor must hear of a publish. What it would do is: wait for a scheduled hour, wake the deliveries that the article
 * asks for, and wake those that it has. Where there is nothing of these, no workflow is started. In doubt it is started: it reads the rows
 * and ends.
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

export function needsActor(article: PublishedState): boolean {
  const { status, statusBefore, syndicate, crossPost, connected, hasDeliveries } = article;
  // A timer is due, or one runs that is not.
  if (status === 'SCHEDULED' || statusBefore === 'SCHEDULED') return true;
  if (hasDeliveries) return true;
  // It was woken when it became public, and may be about to make deliveries that are not there yet.
  if (statusBefore === 'PUBLISHED' && connected.length > 0) return true;
  return status === 'PUBLISHED' && syndicate && connected.some((destination) => crossPost[destination]);
}
