/** The context of one WordPress site: its accounts, posts, tags and media. */
import type { WordPressAccount } from '../accounts.ts';
import type { SandboxContext } from '../context.ts';
import type { SandboxPost, Table } from '../state.ts';

export interface WordPressPost extends SandboxPost {
  /** `title` is the plain text of this HTML. */
  rawTitle: string;
  content: string;
  excerpt: string;
  slug: string;
  /** `published` is WordPress's `publish`. */
  status: 'published' | 'future' | 'draft' | 'pending' | 'private' | 'trash';
  tags: number[];
  featuredMedia: number;
  commentStatus: 'open' | 'closed';
  modifiedAt: string;
}

export interface WordPressTag {
  id: string;
  name: string;
  slug: string;
}

export interface WordPressMedia {
  id: string;
  slug: string;
  fileName: string;
  mimeType: string;
  altText: string;
}

export interface WordPressContext extends SandboxContext {
  /** The site's path, and its name in the log. */
  site: string;
  accounts: Record<string, WordPressAccount>;
  posts: Table<WordPressPost>;
  tags: Table<WordPressTag>;
  media: Table<WordPressMedia>;
}

/** Each site counts separately, so two sites use the same ids. Posts and media share one count. */
export function assignNextId(...records: readonly { id: string }[]): string {
  return String(Math.max(100, ...records.map(({ id }) => Number(id))) + 1);
}

export function buildSiteUrl({ siteUrl, site }: WordPressContext): string {
  return `${siteUrl()}/${site}`;
}
