/** An article as it is stored: what every read path gets, with nothing left to compute. */
import type { DerivedArticle } from '../types.ts';

export interface StoredAuthor {
  name: string;
  username: string;
  /** The author's page on this site. */
  url: string;
  isTrusted: boolean;
  /** Profiles elsewhere. */
  sameAs: string[];
}

export interface StoredArticle {
  slug: string;
  /** Public address on this site. */
  url: string;
  canonicalUrl: string;
  title: string;
  subtitle: string | null;
  tags: string[];
  category: string | null;
  author: StoredAuthor;
  publishedAt: Date;
  updatedAt: Date;
  derived: DerivedArticle;
  coverImage: string | null;
}
