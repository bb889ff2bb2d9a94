/** The contents of a feed, independent of its format. */

export const MAX_FEED_ENTRIES = 30;

export interface Feed {
  /** Never changes, even if author or tag are renamed: feed readers identify the feed by it. */
  id: string;
  title: string;
  description: string;
  pageUrl: string;
  url: string;
  updatedAt: Date;
  entries: readonly FeedEntry[];
}

export interface FeedEntry {
  id: string;
  url: string;
  canonicalUrl: string;
  title: string;
  subtitle: string | null;
  excerpt: string;
  /** Safe HTML, with the addresses of the article's page. Null if the feed is too large for it. */
  html: string | null;
  language: string | null;
  tags: readonly string[];
  category: string | null;
  author: { name: string; url: string };
  coverImage: string | null;
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

export function listCategories({ tags, category }: FeedEntry): string[] {
  return [...new Set(category === null ? tags : [...tags, category])];
}
