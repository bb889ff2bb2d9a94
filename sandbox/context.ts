/** The context of every simulated platform: state, faults, accounts, rate limits and read lag. */
import type { ForemAccount, HashnodeAccount, LinkedinAccount, MediumAccount, WordPressAccount } from './accounts.ts';
import type { FaultBoard } from './faults.ts';
import type { SandboxPost, SandboxState, Table } from './state.ts';

export interface SandboxSettings {
  now: () => Date;
  /** The product's own address. Accepted as a canonical URL although it is local. */
  baseUrl: string;
  /** Enforce the platforms' rate limits. */
  rateLimits: boolean;
  /** By API key. */
  foremAccounts: Record<string, ForemAccount>;
  /** By personal access token. */
  hashnodeAccounts: Record<string, HashnodeAccount>;
  /** Maximum age of Hashnode's query responses. The real one caches for about 25 s. */
  hashnodeReadLagMs: number;
  /** By integration token. */
  mediumAccounts: Record<string, MediumAccount>;
  /** By access token. */
  linkedinAccounts: Record<string, LinkedinAccount>;
  /**
   * How long after its creation a deleted post counts as the duplicate of an identical one. At the
   * real LinkedIn it may be two days.
   */
  linkedinDeletedDuplicateMs: number;
  /** By site name, which is its path and its name in the log, then by user name. */
  wordpressSites: Record<string, Record<string, WordPressAccount>>;
}

export interface SandboxContext extends SandboxSettings {
  state: SandboxState;
  faults: FaultBoard;
  /** The address at which people and clients reach the sandbox, without a trailing slash. */
  siteUrl: () => string;
  /** Aborted when the sandbox stops. */
  stopping: AbortSignal;
  /** What the pages show, in order. */
  sections: Section[];
}

/** The public posts of a platform or site, newest first. */
export interface Section {
  label: string;
  list(): readonly ShownPost[];
}

/** How readers see a post: its path below the sandbox's address, and text or HTML. */
interface PostView {
  path: string;
  tags: readonly string[];
  text?: string;
  html?: string;
}

type ShownPost = PostView & Pick<SandboxPost, 'title' | 'canonicalUrl'>;

/** Adds the published posts of a table to the pages. */
export function showPosts<T extends SandboxPost>(
  { sections }: SandboxContext,
  label: string,
  posts: Table<T>,
  view: (post: T) => PostView,
): void {
  const list = () => {
    const published = posts.list().filter(({ status }) => status === 'published');
    return published.reverse().map((post) => ({ title: post.title, canonicalUrl: post.canonicalUrl, ...view(post) }));
  };
  sections.push({ label, list });
}
