/** Sources of imports, and how far a source has been listed. Plain data, stored with the import. */

import type { NoticeCode } from '../types.ts';
import type { ImportRefusalCode } from './refusal-codes.ts';

export const IMPORT_SOURCES = ['blogsite_a', 'blogsite_b', 'blogsite_c', 'rss'] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

/** A source as an author named it, parsed. */
export interface ImportAddress {
  /** The address of the API or of the feed. */
  baseUrl: string;
  /** The person or the blog; empty for a feed. */
  name: string;
  /** Identifies the source: places with the same origin have the same ids of posts. */
  origin: string;
}

export interface Cursor {
  page: number;
  after?: string;
  url?: string;
  /** Addresses that were already read: a feed can continue at any address. */
  seen?: string[];
}

export interface SourceNotice {
  code: NoticeCode | ImportRefusalCode;
  message: string;
}

export interface ListedPost<Post> {
  post: Post;
  /** False if the text must be fetched. */
  hasBody: boolean;
  /** The account of the post, as a connection probe reports it; null if unknown. */
  account: string | null;
}
