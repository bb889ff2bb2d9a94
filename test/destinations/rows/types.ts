/** The data of a platform that the shared contract needs. Its capabilities are in its `limits`. */
import type { DeliverableArticle, DestinationKey } from '../../../article/types.ts';
import type { Destination } from '../../../destinations/types.ts';

export interface Row {
  key: DestinationKey;
  destination: Destination;
  /** The path of a connection's address, below an origin. */
  path: string;
  /** The stored credentials: the author's input, and the settings from the probe. */
  credentials: Record<string, string>;
  refusedCredentials: Record<string, string>;
  /** The value of `credentials` that must never be repeated. */
  secret: string;
  /** `{host}` is the sandbox's own host, with another port each time. */
  account: string;
  /** The display name of the account. */
  name?: string;
  /** The author's input, if it differs from `path` and `credentials`. */
  entered?: { path?: string; credentials?: Record<string, string> };
  /**
   * Properties that an article needs here, for example no cover that would have to be downloaded.
   */
  article?: Partial<DeliverableArticle>;
  /** Whether the platform is requested to prepare such an article. */
  isPrepared?: true;
  /** A well-formed id under which there is no post. */
  missingId: string;
  /** The platform's refusal of an article, in its own format, with this message. */
  refusal(words: string): { status: number; body: object };
  /** A refused create may have created a post. */
  canSaveRefusedPost: boolean;
  /** The wait in the sandbox's own 429. */
  retryAfterMs: number | 'until midnight' | null;
  /** Look-ups need no credential, so they do not reveal a wrong one. */
  publicReads: boolean;
  /**
   * A post with a changed slug is found by every spelling of its canonical URL, not only by the one
   * sent.
   */
  findsEverySpelling: boolean;
  /** Texts on the page of a post. */
  pageShows(article: DeliverableArticle): readonly string[];
  /**
   * Changes the post's title on the platform, as its author would. Present if the platform reports
   * when a post changed.
   */
  editByHand?(origin: string, remoteId: string, title: string): Promise<void>;
}
