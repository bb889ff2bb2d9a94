/** A post as the place has it that it is imported from: plain data, the same for every source. */

export interface SourcePost {
  /** By which the source knows it, whatever else of it changes. */
  remoteId: string;
  /** Where readers find it there. */
  url: string | null;
  /** Empty where the source gives none. */
  title: string;
  subtitle: string | null;
  excerpt: string | null;
  tags: string[];
  /** The last part of its address, as its author chose it. */
  slug: string | null;
  /** What the source calls its canonical URL; null where it names none, and `url` is it. */
  canonicalUrl: string | null;
  coverImage: string | null;
  /** The title of the series that it is part of. */
  series: string | null;
  /** A tag of BCP 47. */
  language: string | null;
  /** In ISO 8601; null where the source does not say. */
  publishedAt: string | null;
  updatedAt: string | null;
  body: SourceBody;
}

export interface SourceBody {
  /** `medium` is HTML as Medium's feed has it. */
  format: 'markdown' | 'html' | 'medium' | 'text';
  text: string;
  /** What relative addresses in it stand for; null where only its own address can tell. */
  base: string | null;
  /** The source gives no more than the beginning. */
  isExcerpt: boolean;
}
