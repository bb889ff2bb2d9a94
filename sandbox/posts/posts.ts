/** Types of the sandbox's data: the posts of each platform, and the log of performed actions. */
import type { ForemArticle } from '../forem/records.ts';
import type { GhostRecord } from '../ghost/records.ts';
import type { HashnodePost } from '../hashnode/records.ts';
import type { LinkedinPost } from '../linkedin/records.ts';
import type { MediumPost } from '../medium/records.ts';
import type { WordPressRecord } from '../wordpress/records.ts';

/**
 * The records under each destination key. `cms_site` has two platforms, which `kind` distinguishes.
 * Each may have several sites.
 */
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

export type LoggedAction = 'create' | 'update' | 'withdraw';

export interface LogEntry {
  platform: SandboxPlatform;
  action: LoggedAction;
  /** The owner of the post: see `readOwner`. */
  account: string;
  remoteId: string;
  canonicalUrl: string | null;
  title: string;
  at: string;
}
