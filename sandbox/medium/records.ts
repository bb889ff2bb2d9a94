/** The record of the simulated Medium. */

export interface MediumPost {
  id: string;
  authorId: string;
  title: string;
  contentFormat: 'html' | 'markdown';
  content: string;
  tags: string[];
  canonicalUrl: string | null;
  publishStatus: 'public' | 'draft' | 'unlisted';
  license: string;
  /** Relative to the sandbox's own address. */
  path: string;
  createdAt: string;
}
