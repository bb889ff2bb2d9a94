/** The context of every simulated platform: state, accounts, rate limits and read lag. */
import type { FaultBoard } from './faults.ts';
import type { SandboxState } from './state.ts';

export interface ForemAccount {
  username: string;
  name: string;
  /** Former names of the account. Its number and its articles stay the same. */
  formerNames?: readonly string[];
  /** In its first three days an account may publish once in five minutes. */
  isNew?: boolean;
}

export interface HashnodeAccount {
  username: string;
  name: string;
  /** Former names of the account. Its id stays the same. */
  formerNames?: readonly string[];
  /** The publication owned by this token's user. */
  publicationId: string;
  /** Further publications of the same user. */
  otherPublicationIds?: readonly string[];
  isPro: boolean;
}

export interface MediumAccount {
  id: string;
  username: string;
  name: string;
}

export interface LinkedinAccount {
  /** The `sub` of OpenID Connect. */
  id: string;
  name: string;
  /** Organisations for which the token may post. */
  organizationIds: readonly string[];
}

export interface WordPressAccount {
  id: number;
  name: string;
  /** The last part of the author page's address, if it is not the user name. */
  nicename?: string;
  /** Spaces in it are ignored. */
  applicationPassword: string;
  role: 'contributor' | 'author' | 'editor';
}

export interface WordPressSite {
  /** Its path, and its name in the log. */
  name: string;
  /** Without a trailing slash. */
  url: () => string;
  /** By user name. */
  accounts: Record<string, WordPressAccount>;
}

export interface GhostSite {
  /** Its path, and its name in the log. */
  name: string;
  /** Without a trailing slash. */
  url: () => string;
  /** The site's own address: the same wherever the sandbox listens. */
  publicUrl: string;
  /** Secrets of Admin API keys in hexadecimal, by key id. */
  keys: Record<string, string>;
}

export interface SandboxContext {
  state: SandboxState;
  faults: FaultBoard;
  now: () => Date;
  /** The address at which people and clients reach the sandbox, without a trailing slash. */
  siteUrl: () => string;
  /** Aborted when the sandbox stops. */
  stopping: AbortSignal;
  /** The product's own address. Accepted as a canonical URL although it is local. */
  baseUrl: string | undefined;
  rateLimits: boolean;
  /** By API key. */
  foremAccounts: Record<string, ForemAccount>;
  /** By personal access token. */
  hashnodeAccounts: Record<string, HashnodeAccount>;
  ghostSites: readonly GhostSite[];
  /** How long a query may get a cached response. */
  hashnodeReadLagMs: number;
  /** By integration token. */
  mediumAccounts: Record<string, MediumAccount>;
  /** By access token. */
  linkedinAccounts: Record<string, LinkedinAccount>;
  /** How long after its creation a deleted post counts as the duplicate of an identical one. */
  linkedinDeletedDuplicateMs: number;
  wordpressSites: readonly WordPressSite[];
}

export type WordPressContext = SandboxContext & { site: WordPressSite };
export type GhostContext = SandboxContext & { site: GhostSite };
