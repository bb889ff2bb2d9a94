/** Where posts are imported from, and how far a source was listed: plain data, kept with the import. */

export const IMPORT_SOURCES = ['blogsite_a', 'blogsite_b', 'blogsite_c', 'rss'] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

/** What an author named, read. */
export interface Place {
  /** Address of the API, or of the feed. */
  baseUrl: string;
  /** Of the person or the blog; empty for a feed. */
  name: string;
  /** Compared: two places of one spelling have the same ids of posts. */
  origin: string;
}

/** Where the next page begins. */
export interface Cursor {
  page: number;
  after?: string;
  url?: string;
  /** Feeds go on at any address: those that were read. */
  seen?: string[];
}

export interface SourceNotice {
  code: string;
  message: string;
}

export interface ListedPost<Post> {
  post: Post;
  /** False where the text has to be fetched. */
  hasBody: boolean;
  /** At whose account it stands: as a probe of a connection would say it; null where the source does not tell. */
  account: string | null;
}
