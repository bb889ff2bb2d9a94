/** What a digest says: numbers and names as they are, nothing formatted yet. */

/** A count of the period, and of the equally long period before it. */
export interface Change {
  now: number;
  before: number;
}

export interface DigestContent {
  author: { name: string; username: string };
  /** First and last day covered, as the author's calendar says (ISO dates), and the IANA zone. */
  period: { from: string; to: string; zone: string };
  views: Change;
  readingSeconds: Change;
  reactions: Change;
  subscribers: Change;
  followers: Change;
  /** Up to 5 names, newest first. */
  newFollowers: string[];
  /** Up to 5, most read first. */
  articles: { title: string; url: string; views: Change; reactions: Change }[];
  /** Up to 5. `engaged`: many comments; `pending`: questions without an answer of the author. */
  discussions: { title: string; url: string; reason: 'engaged' | 'pending'; comments: number; excerpt: string }[];
  settingsUrl: string;
  unsubscribeUrl: string;
  siteUrl: string;
}
