/** The posts of a simulated Ghost site, and what its requests need. */
import type { SandboxContext } from '../context.ts';
import type { SandboxPost, Table } from '../state.ts';

/** Times are whole seconds. */
export interface GhostPost extends SandboxPost {
  uuid: string;
  slug: string;
  /** The result of the conversion. Null if there was nothing to convert. */
  html: string | null;
  tags: string[];
  featureImage: string | null;
  customExcerpt: string | null;
  metaDescription: string | null;
  updatedAt: string;
  publishedAt: string | null;
}

export interface GhostContext extends SandboxContext {
  /** The site's path, and its name in the log. */
  site: string;
  posts: Table<GhostPost>;
}
