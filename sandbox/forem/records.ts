/** The record of the simulated Forem. Times are ISO strings. */

export interface ForemArticle {
  id: string;
  username: string;
  title: string;
  slug: string;
  bodyMarkdown: string;
  tags: string[];
  canonicalUrl: string | null;
  description: string | null;
  mainImage: string | null;
  series: string | null;
  published: boolean;
  publishedAt: string | null;
  createdAt: string;
  editedAt: string | null;
}
