/** The record of the simulated Ghost. */

/** Times are ISO strings of whole seconds, as Ghost stores them. */
export interface GhostRecord {
  kind: 'ghostPost';
  site: string;
  id: string;
  uuid: string;
  title: string;
  slug: string;
  /** The result of the conversion. Null if there was nothing to convert. */
  html: string | null;
  status: 'published' | 'draft' | 'scheduled';
  tags: string[];
  canonicalUrl: string | null;
  featureImage: string | null;
  customExcerpt: string | null;
  metaTitle: string | null;
  metaDescription: string | null;
  createdAt: string;
  updatedAt: string;
  publishedAt: string | null;
  isDeleted: boolean;
}
