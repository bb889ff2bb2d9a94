/** An article as stored, with all derived values. Every read path uses it. */
import type { DerivedArticle } from '../types.ts';
import type { ContentSignal } from './content-signal.ts';

export interface StoredAuthor {
  name: string;
  username: string;
  url: string;
  isTrusted: boolean;
  sameAs: string[];
}

export interface StoredArticle {
  slug: string;
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
  /** The signals of the site, the author and the article combined; the strictest applies. */
  contentSignal: ContentSignal;
}
