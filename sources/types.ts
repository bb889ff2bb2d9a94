/** An import source parses the identifier, lists posts in pages, and may fetch each text. */
import type { FeedBytes, FeedResult } from '../article/import/feed/read-feed.ts';
import type { Cursor, ImportAddress, ListedPost, SourceNotice } from '../article/import/import-address.ts';
import type { ImportRefusalCode } from '../article/import/refusal-codes.ts';
import type { SourcePost } from '../article/import/source-post.ts';

/** The result of a request to a source. `reason` is a sentence for the author. */
export type SourceResult<T> =
  | { kind: 'done'; value: T }
  /** Busy or unreachable. `retryAfterMs` is bounded; null if the source gave no time. */
  | { kind: 'later'; reason: string; retryAfterMs: number | null; fault?: SourceFault }
  /** Permanent. */
  | { kind: 'refused'; code: ImportRefusalCode; reason: string };

/** `silent`: no response in time. `ours`: our own fault. `picture`: one must be fetched later. */
export type SourceFault = 'silent' | 'ours' | 'picture';

export interface SourcePage {
  posts: ListedPost<SourcePost>[];
  next: Cursor | null;
  notices: SourceNotice[];
}

/** Options of one request. */
export interface RequestContext {
  /** The limit for one request including redirects. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  now: () => Date;
  /** See `ClientOptions.allowPrivate`. */
  allowPrivate: boolean | readonly string[];
}

export interface SourceContext extends RequestContext {
  /** Runs in a thread, so that no feed blocks the process. */
  readFeed(feed: FeedBytes): Promise<FeedResult>;
}

export interface Source {
  /** The name that authors see. */
  label: string;
  /** The minimum time between two requests to a host. */
  intervalMs: number;
  /**
   * Parses a name, a host or an address. `connectedTo` is the address of the author's own
   * connection to this platform, such as another instance.
   */
  readPlace(identifier: string, connectedTo: string | null): ImportAddress | { problem: string };
  list(place: ImportAddress, cursor: Cursor, context: SourceContext): Promise<SourceResult<SourcePage>>;
  /** Absent if lists contain the texts. */
  fetchBody?(place: ImportAddress, post: SourcePost, context: SourceContext): Promise<SourceResult<SourcePost>>;
}
