/** What the stand-in keeps: posts, tags and media, told apart by `kind`. Times are ISO strings. */

export interface WordPressPost {
  kind: 'wordpressPost';
  id: string;
  /** Name of the account that wrote it. */
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
  id: string;
  name: string;
  slug: string;
}

export interface WordPressMedia {
  kind: 'wordpressMedia';
  id: string;
  slug: string;
  fileName: string;
  mimeType: string;
  altText: string;
}

export type WordPressRecord = WordPressPost | WordPressTag | WordPressMedia;
