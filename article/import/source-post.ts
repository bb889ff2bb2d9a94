/** A post as its import source has it: plain data, the same for every source. */

export interface SourcePost {
  /** The id at the source, which never changes. */
  remoteId: string;
  /** The public address at the source. */
  url: string | null;
  /** Empty if the source has none. */
  title: string;
  subtitle: string | null;
  excerpt: string | null;
  tags: string[];
  /** The last segment of its address, as its author chose it. */
  slug: string | null;
  /** The canonical URL at the source; null if the source names none and `url` is canonical. */
  canonicalUrl: string | null;
  coverImage: string | null;
  /** The title of its series. */
  series: string | null;
  /** BCP 47. */
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
  /** The source has only the beginning. */
  isExcerpt: boolean;
}
