/** What the shared contract needs to know of a platform; what the platform can do is in its `limits`. */
import type { DeliverableArticle, DestinationKey } from '../../../article/types.ts';
import type { Destination, RemotePost } from '../../../destinations/types.ts';

export interface Row {
  key: DestinationKey;
  destination: Destination;
  /** The path of a connection's address, below an origin. */
  path: string;
  /** What is kept of a connection: what its author gave, and the settings that the probe added. */
  credentials: Record<string, string>;
  wrong: Record<string, string>;
  /** The value of `credentials` that must never be repeated. */
  secret: string;
  /** `{host}` stands for the stand-in's own, which has another port each time. */
  account: string;
  /** What the account is called. */
  name?: string;
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
  retryAfterMs: number | 'until midnight' | null;
  /** Look-ups need no credential, so they do not show that one is wrong. */
  publicReads: boolean;
  /** A post whose slug was changed is found by every spelling of its canonical URL, not just by the one sent. */
  findsEverySpelling: boolean;
  /** The probe follows redirects. */
  probeFollows?: boolean;
  /** What the page of a post shows. */
  pageShows(article: DeliverableArticle): readonly string[];
  /** The stand-in's page of a post, where the platform's API does not say its address. */
  findPage?(post: RemotePost, origin: string): string;
  /** Changes the post's title on the platform, as its author would; present where the platform says when a post changed. */
  editByHand?(origin: string, remoteId: string, title: string): Promise<void>;
}
