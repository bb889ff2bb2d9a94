/** A feed before it has a format. */

/** The most that a feed lists. */
export const MAX_FEED_ENTRIES = 30;

export interface Feed {
  /** Never changes, whatever is renamed: feeds and entries are told apart by it. */
  id: string;
  title: string;
  description: string;
  /** The page that lists the same. */
  pageUrl: string;
  /** The feed's own address. */
  url: string;
  /** Of its newest change. */
  updatedAt: Date;
  entries: readonly FeedEntry[];
}

export interface FeedEntry {
  /** Of the article, a UUID. */
  id: string;
  /** Public address on this site. */
  url: string;
  canonicalUrl: string;
  title: string;
  subtitle: string | null;
  excerpt: string;
  /** Safe HTML, with addresses as the article's page has them; null for a feed that has no room for it. */
  html: string | null;
  /** A tag of BCP 47. */
  language: string | null;
  tags: readonly string[];
  category: string | null;
  author: { name: string; url: string };
  coverImage: string | null;
  publishedAt: Date;
  updatedAt: Date;
}

/**
 * What readers know an article by. Not its address: that follows the slug and the domain, and a reader that is shown another one takes an old
 * article for a new one. So an article stays read when its author renames it or the site moves.
 */
export function buildEntryId({ id }: { id: string }): string {
  return buildUrn(id);
}

export function buildUrn(uuid: string): string {
  return `urn:uuid:${uuid}`;
}

/** Its tags and its category, each once. */
export function listCategories({ tags, category }: FeedEntry): string[] {
  return [...new Set(category === null ? tags : [...tags, category])];
}
