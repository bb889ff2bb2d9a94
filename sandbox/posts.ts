/** The shapes of what the stand-ins keep: posts of each platform and the log of what was really done. */

import type { GhostRecord } from './ghost/records.ts';
import type { LinkedinPost } from './linkedin/records.ts';
import type { MediumPost } from './medium/records.ts';
import type { WordPressRecord } from './wordpress/records.ts';

/** What is kept under each destination key; two platforms stand behind `cms_site`, told apart by `kind`. */
export interface PostsByPlatform {
  blogsite_a: ForemArticle;
  blogsite_b: HashnodePost;
  blogsite_c: MediumPost;
  cms_site: WordPressRecord | GhostRecord;
  social_feed: LinkedinPost;
}
export type SandboxPlatform = keyof PostsByPlatform;
export const SANDBOX_PLATFORMS: readonly SandboxPlatform[] = [
  'blogsite_a',
  'blogsite_b',
  'blogsite_c',
  'cms_site',
  'social_feed',
];

/** Times are ISO strings throughout. */
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

export type LoggedAction = 'create' | 'update' | 'withdraw';

export interface LogEntry {
  platform: SandboxPlatform;
  action: LoggedAction;
  remoteId: string;
  canonicalUrl: string | null;
  title: string;
  at: string;
}
