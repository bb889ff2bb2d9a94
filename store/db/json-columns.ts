/** Shapes kept in JSON columns: what a notification says (2.4, 6) and what an idempotent answer was. */

export type NotificationType =
  | 'NEW_COMMENT'
  | 'COMMENT_REPLY'
  | 'ACCEPTED_ANSWER'
  | 'NEW_FOLLOWER'
  | 'CROSS_POST_SUCCESS'
  | 'CROSS_POST_FAILED'
  | 'FEATURED_ROUNDUP';

/** The fields of 2.4 beside `id` and `type`, as they go out on the stream. */
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

/** By what a post that an attempt may have made is found: as the article was then, whatever was edited since. */
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
