/**
 * The records of a simulated site: posts, tags and media, distinguished by `kind`. Times are ISO
 * strings.
 */

export interface WordPressPost {
  kind: 'wordpressPost';
  site: string;
  id: string;
  /** The user name of the author. */
  author: string;
  title: string;
  content: string;
  excerpt: string;
  slug: string;
  status: 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash';
  tags: number[];
  featuredMedia: number;
  commentStatus: 'open' | 'closed';
  createdAt: string;
  modifiedAt: string;
}

export interface WordPressTag {
  kind: 'wordpressTag';
  site: string;
  id: string;
  name: string;
  slug: string;
}

export interface WordPressMedia {
  kind: 'wordpressMedia';
  site: string;
  id: string;
  slug: string;
  fileName: string;
  mimeType: string;
  altText: string;
}

export type WordPressRecord = WordPressPost | WordPressTag | WordPressMedia;
