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
  /** URL of the copy, for successful cross-posts. */
  sharedUrl?: string;
  /** For failures: the cause, and what the author can do. */
  reason?: string;
}

/**
 * Keys to find a copy that an attempt may have created. They are the article's at that time, before
 * later edits.
 */
export interface LookUpKeys {
  canonicalUrl: string;
  slug: string;
  title: string;
}

/** The response stored under an `Idempotency-Key`. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}
