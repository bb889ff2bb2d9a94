/** The contents of a feed, independent of its format. */

/** Maximum number of entries in a feed. */
export const MAX_FEED_ENTRIES = 30;

export interface Feed {
  /** Never changes, even if author or tag are renamed: feed readers identify the feed by it. */
  id: string;
  title: string;
  description: string;
  /** The page that lists the same articles. */
  pageUrl: string;
  /** The feed's own address. */
  url: string;
  /** The time of its newest change. */
  updatedAt: Date;
  entries: readonly FeedEntry[];
}

export interface FeedEntry {
  /** The UUID of the article. */
  id: string;
  /** Public address on this site. */
  url: string;
  canonicalUrl: string;
  title: string;
  subtitle: string | null;
  excerpt: string;
  /** Safe HTML, with the addresses of the article's page. Null if the feed is too large for it. */
  html: string | null;
  /** BCP 47. */
  language: string | null;
  tags: readonly string[];
  category: string | null;
  author: { name: string; url: string };
  coverImage: string | null;
  /** A `Content-Signal` value; null without one. */
  contentSignal: string | null;
  publishedAt: Date;
  updatedAt: Date;
}

/** Identifies an article to feed readers. Its address changes with slug and domain. */
export function buildEntryId({ id }: { id: string }): string {
  return buildUrn(id);
}

export function buildUrn(uuid: string): string {
  return `urn:uuid:${uuid}`;
}

/** Its tags and its category, without repetitions. */
export function listCategories({ tags, category }: FeedEntry): string[] {
  return [...new Set(category === null ? tags : [...tags, category])];
}
