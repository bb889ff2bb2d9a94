/** The content of a digest, as unformatted numbers and names. */

/** A count of the period and of the preceding period of equal length. */
export interface Change {
  now: number;
  before: number;
}

export interface DigestContent {
  author: { name: string; username: string };
  /** First and last day covered, in the author's time zone (ISO dates, IANA zone). */
  period: { from: string; to: string; zone: string };
  views: Change;
  readingSeconds: Change;
  reactions: Change;
  subscribers: Change;
  /** Null if the author excluded followers from the digest. */
  followers: Change | null;
  /** Up to 5 names, newest first. */
  newFollowers: string[];
  /** Up to 5, most read first. */
  articles: { title: string; url: string; views: Change; reactions: Change }[];
  /** Up to 5. `engaged`: many comments; `pending`: questions that the author has not answered. */
  discussions: { title: string; url: string; reason: 'engaged' | 'pending'; comments: number; excerpt: string }[];
  settingsUrl: string;
  unsubscribeUrl: string;
  siteUrl: string;
}
