/** Where articles are imported from. Each source reads what an author gives for it, lists posts in pages, and may have to fetch each text by itself. */
import type { FeedBytes, FeedReading } from '../article/import/feed/read-feed.ts';
import type { Cursor, ListedPost, Place, SourceNotice } from '../article/import/place.ts';
import type { SourcePost } from '../article/import/source-post.ts';

/** How a question to a source ended. `reason` is a sentence for the author. */
export type Reading<T> =
  | { kind: 'done'; value: T }
  /** Busy or away; `retryAfterMs` is bounded, and null where the source did not say. */
  | { kind: 'later'; reason: string; retryAfterMs: number | null; fault?: Fault }
  /** For good. */
  | { kind: 'refused'; code: string; reason: string };

/** `silent`: nobody answered there at all, or not in time. `ours`: the source has no part in it. `picture`: one of its pictures has to wait. */
export type Fault = 'silent' | 'ours' | 'picture';

export interface Page {
  posts: ListedPost<SourcePost>[];
  next: Cursor | null;
  notices: SourceNotice[];
}

/** How one question is asked. */
export interface AskContext {
  /** For one question, redirects included. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  now: () => Date;
  /** See `ClientOptions.allowPrivate`. */
  allowPrivate: boolean | readonly string[];
}

export interface SourceContext extends AskContext {
  /** In a thread, so that no feed stalls the process. */
  readFeed(feed: FeedBytes): Promise<FeedReading>;
}

export interface Source {
  /** Shown to authors. */
  label: string;
  /** No sooner after one question to a host comes the next. */
  intervalMs: number;
  /**
   * What the author gave: a name, a host or an address. `connectedTo` is the address of the author's own connection to this platform, which may
   * be another instance, a proxy or a stand-in. Null with a reason where it is none of these.
   */
  readPlace(identifier: string, connectedTo: string | null): Place | { problem: string };
  list(place: Place, cursor: Cursor, context: SourceContext): Promise<Reading<Page>>;
  /** Absent where a list has the texts. */
  fetchBody?(place: Place, post: SourcePost, context: SourceContext): Promise<Reading<SourcePost>>;
}
