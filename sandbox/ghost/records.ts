/** What the Ghost stand-in keeps. */
import type { SandboxContext } from '../context.ts';

/** Times are ISO strings of whole seconds, as Ghost keeps them. */
export interface GhostRecord {
  kind: 'ghostPost';
  id: string;
  uuid: string;
  title: string;
  slug: string;
  /** As it came out of the conversion; null where nothing was given to convert. */
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

/** Newest first, deleted ones left out. */
export function ghostPosts({ state }: SandboxContext): GhostRecord[] {
  const records = [...state.posts('cms_site').values()].filter((record) => record.kind === 'ghostPost');
  return records.filter((post) => !post.isDeleted).reverse();
}
