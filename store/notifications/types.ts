/** The types of notifications, one row each. CONTRIBUTING.md lists the steps to add one. */

/** The fields of an event beside `id`, `type` and `createdAt`, in the order in which they are sent. */
export const PAYLOAD_FIELDS = ['actorName', 'postTitle', 'platform', 'sharedUrl', 'reason'] as const;

type PayloadField = (typeof PAYLOAD_FIELDS)[number];

interface TypeRow {
  receiver: 'author of the article' | 'author of the comment' | 'followed author';
  payload: readonly PayloadField[];
  /** Whether a digest includes it. If so, its receiver can turn that off. */
  inDigest: boolean;
  /** Completes the settings page and the description in GraphQL. */
  description: string;
  label: string;
  tone: 'good' | 'bad' | 'info';
  /** `{actor}`, `{title}` and `{destination}` are replaced. */
  text: string;
}

export const NOTIFICATIONS = {
  NEW_COMMENT: {
    receiver: 'author of the article',
    payload: ['actorName', 'postTitle'],
    inDigest: true,
    description: 'A reader commented on your article',
    label: 'Comment',
    tone: 'info',
    text: '{actor} commented on “{title}”',
  },
  COMMENT_REPLY: {
    receiver: 'author of the comment',
    payload: ['actorName', 'postTitle'],
    inDigest: false,
    description: 'Someone replied to your comment',
    label: 'Reply',
    tone: 'info',
    text: '{actor} replied to your comment on “{title}”',
  },
  ACCEPTED_ANSWER: {
    receiver: 'author of the comment',
    payload: ['actorName', 'postTitle'],
    inDigest: false,
    description: 'Your comment was accepted as the answer',
    label: 'Accepted',
    tone: 'good',
    text: '{actor} accepted your answer on “{title}”',
  },
  NEW_FOLLOWER: {
    receiver: 'followed author',
    // The specification lists a title for every event; here it is empty.
    payload: ['actorName', 'postTitle'],
    inDigest: true,
    description: 'Someone followed you',
    label: 'Follower',
    tone: 'info',
    text: '{actor} follows you',
  },
  CROSS_POST_SUCCESS: {
    receiver: 'author of the article',
    payload: ['postTitle', 'platform', 'sharedUrl'],
    inDigest: false,
    description: 'An article was delivered to a destination',
    label: 'Delivered',
    tone: 'good',
    text: '“{title}” was delivered to {destination}',
  },
  CROSS_POST_FAILED: {
    receiver: 'author of the article',
    payload: ['postTitle', 'platform', 'reason'],
    inDigest: false,
    description: 'A delivery to a destination failed',
    label: 'Failed',
    tone: 'bad',
    text: '{destination} rejected “{title}”',
  },
  FEATURED_ROUNDUP: {
    receiver: 'author of the article',
    payload: ['postTitle'],
    inDigest: false,
    description: 'An article was featured in the weekly roundup',
    label: 'Featured',
    tone: 'good',
    text: '“{title}” is in the weekly roundup',
  },
} as const satisfies Record<string, TypeRow>;

export type NotificationType = keyof typeof NOTIFICATIONS;

export const NOTIFICATION_TYPES = Object.keys(NOTIFICATIONS) as NotificationType[];

/** The payload of a stored notification. */
export type NotificationPayload = Partial<Record<PayloadField, string>>;

/** A type with exactly its payload. */
export type TypedPayload = {
  [T in NotificationType]: { type: T; payload: Record<(typeof NOTIFICATIONS)[T]['payload'][number], string> };
}[NotificationType];
