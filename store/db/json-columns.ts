/** The shapes of JSON columns. */

export type NotificationType =
  | 'NEW_COMMENT'
  | 'COMMENT_REPLY'
  | 'ACCEPTED_ANSWER'
  | 'NEW_FOLLOWER'
  | 'CROSS_POST_SUCCESS'
  | 'CROSS_POST_FAILED'
  | 'FEATURED_ROUNDUP';

/** The fields of an event beside `id` and `type`, as the stream sends them. */
export interface NotificationPayload {
  actorName?: string;
  postTitle?: string;
  /** Upper-cased destination key, for cross-posts. */
  platform?: string;
  /** Where the remote post is, for successful cross-posts. */
  sharedUrl?: string;
  /** For failures: why, and what the author can do. */
  reason?: string;
}

/** The keys for finding a post that an attempt may have created: those of the article at that time, whatever was edited since. */
export interface LookUpKeys {
  canonicalUrl: string;
  slug: string;
  title: string;
}

/** The answer kept under an `Idempotency-Key`. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}
