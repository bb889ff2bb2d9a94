/** A post as its import source has it: plain data, the same for every source. */
import { createHash } from 'node:crypto';

export interface SourcePost {
  /** The id at the source, which never changes. */
  remoteId: string;
  url: string | null;
  title: string;
  subtitle: string | null;
  excerpt: string | null;
  tags: string[];
  /** The last segment of its address, as its author chose it. */
  slug: string | null;
  /** The canonical URL at the source; null if the source names none and `url` is canonical. */
  canonicalUrl: string | null;
  coverImage: string | null;
  series: string | null;
  language: string | null;
  /** ISO 8601; null if the source does not state it. */
  publishedAt: string | null;
  updatedAt: string | null;
  body: SourceBody;
}

export interface SourceBody {
  /** `medium` is HTML of Medium's feed. */
  format: 'markdown' | 'html' | 'medium' | 'text';
  text: string;
  /** The base of relative addresses; null if only the address of the post can be their base. */
  base: string | null;
  isExcerpt: boolean;
}

/** In UTF-16 units, of at most three bytes each. */
const MAX_ID_LENGTH = 500;

export function shortenId(id: string): string {
  return id.length <= MAX_ID_LENGTH ? id : hashId(id);
}

export function hashId(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
