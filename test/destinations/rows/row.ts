/** What the shared contract needs to know of a platform; what it can and cannot do stands in its `limits`. */
import type { DeliverableArticle, DestinationKey } from '../../../article/types.ts';
import type { Destination, RemotePost } from '../../../destinations/types.ts';

export interface Row {
  key: DestinationKey;
  destination: Destination;
  /** Where a connection leads, below an origin. */
  path: string;
  /** What is kept of a connection: what its author gave, and the settings that the probe added. */
  credentials: Record<string, string>;
  wrong: Record<string, string>;
  /** The value of `credentials` that must never be repeated. */
  secret: string;
  account: string;
  /** What an author gives, where that is not yet `path` and `credentials`. */
  entered?: { path?: string; credentials?: Record<string, string> };
  /** What an article needs to be like here, for example without a cover that would have to be fetched. */
  article?: Partial<DeliverableArticle>;
  /** A well-formed id under which there is no post. */
  missingId: string;
  /** How the platform refuses an article, in its own form, with these words. */
  refusal(words: string): { status: number; body: object };
  /** A refused create may have left a post. */
  savesRefused: boolean;
  /** How long the stand-in's own 429 asks to wait. */
  retryAfterMs: number | null;
  /** Look-ups are open to everybody, so that a wrong credential does not show. */
  publicReads: boolean;
  /** A post whose slug was changed is found by every spelling of its canonical URL, not just by the one sent. */
  findsEverySpelling: boolean;
  /** The probe looks where an author's address leads, across redirects. */
  probeFollows?: boolean;
  /** What stands on the page of a post. */
  pageShows(article: DeliverableArticle): readonly string[];
  /** The stand-in's page of a post, where the platform's API does not say its address. */
  findPage?(post: RemotePost, origin: string): string;
  /** Gives the post another title, as its author would over there; stated where the platform tells when a post changed. */
  editByHand?(origin: string, remoteId: string, title: string): Promise<void>;
}
