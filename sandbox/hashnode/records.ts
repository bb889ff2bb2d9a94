/** The record of the simulated Hashnode. Times are ISO strings. */

export interface HashnodePost {
  id: string;
  publicationId: string;
  title: string;
  subtitle: string | null;
  slug: string;
  contentMarkdown: string;
  tags: { slug: string; name: string }[];
  canonicalUrl: string | null;
  coverImage: string | null;
  metaTitle: string | null;
  metaDescription: string | null;
  ogImage: string | null;
  disableComments: boolean;
  isDelisted: boolean;
  enableToc: boolean;
  publishedAt: string;
  updatedAt: string | null;
}
