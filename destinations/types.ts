/**
 * What every destination is: limits, a pure format, and a client whose calls end in typed outcomes. A delivery is decided
 * by `kind` alone; status codes are read nowhere else.
 *
 * The folder of each platform has the same files with the same functions; one that a platform does not need is absent:
 *
 * - `index.ts`     the destination, as `registry.ts` maps it
 * - `limits.ts`    `LABEL`, `BASE_URL` and `limits`
 * - `format.ts`    `formatArticle`: what is sent and what is lost; pure
 * - `body.ts`      `writeBody`: the text of the article
 * - `tags.ts`      `mapTags`
 * - `client.ts`    `createClient`: probe, find, prepare, create, update, withdraw
 * - `call.ts`      `createCaller`: one request, addressed and signed, and which answers are the platform's own
 * - `refusals.ts`  `interpretRefusal`: what the platform's own errors mean
 * - `posts.ts`     `readPost` and what else is read of its answers
 * - `find.ts`      `findPost`
 * - `probe.ts`     `probeSite`, where that takes several requests
 * - `cover.ts`     `uploadCover`, where the platform wants the file
 *
 * What they share is in `http/` (a request and what its ending means), `posts/` (what is there already) and `format/`.
 */
import type { DeliverableArticle, Notice } from '../article/types.ts';

export type Platform = 'forem' | 'hashnode' | 'medium' | 'wordpress' | 'ghost' | 'linkedin';

/** What an author connected: its address and the decrypted credential. Kept in memory only. */
export interface Connection {
  baseUrl: string;
  /** Platform-specific secrets, for example `{ apiKey }` or `{ token, publicationId }`. Never logged. */
  credentials: Record<string, string>;
}

/** The platform's limits, for pre-flight, pacing and look-ups. */
export interface Limits {
  titleLength: number;
  tags: number;
  bodyBytes: number;
  /** GCRA: one write every `intervalMs`, with `burst` of them at once. */
  pacing: { intervalMs: number; burst: number };
  /** How long after a write a look-up may still miss it. */
  readLagMs: number;
  /** Whether `find` can prove that a post exists. */
  canFind: boolean;
  canUpdate: boolean;
  /** What `withdraw` achieves: gone for good, gone from the public, only hidden from lists, or nothing. */
  withdraw: 'deleted' | 'unpublished' | 'delisted' | 'none';
  /**
   * Where the platform recognises an identical post for some time after the first, one repeat of the same request is as
   * good as a look-up: not before `afterMs` and not after `withinMs` from the first attempt. Null elsewhere.
   */
  repeat: { afterMs: number; withinMs: number } | null;
}

export interface RemotePost {
  remoteId: string;
  url: string;
  /** When the post was last changed, by the platform's own clock, in ISO 8601; null where the platform does not say. */
  changedAt: string | null;
  /** What its author should know of this post although it was written: a cover that could not be fetched, for example. */
  notices?: readonly Notice[];
  /**
   * A create was refused as the duplicate of this post, which was there before. It may be anybody's: it is ours only where an earlier attempt
   * of the very same content may have made it.
   */
  isDuplicate?: true;
}

/** By what an article's post is known on a platform. */
export interface LookUp {
  canonicalUrl: string;
  slug: string;
  title: string;
}

/** What to look for. */
export interface Sought extends LookUp {
  /** Ids of posts that belong to other articles: several articles may have one canonical URL. */
  except?: ReadonlySet<string>;
  restored?: RestoredAddresses;
}

/** After a restore from a backup, a post may have the address of a slug that was chosen since then. */
export interface RestoredAddresses {
  /** Of this site, without a trailing slash. */
  siteUrl: string;
  /** Addresses on this site that the article has or had. */
  formerUrls: readonly string[];
  /** Those of other articles that may have posts at this account. */
  otherUrls: readonly string[];
}

/** What a probe found. It is kept with the connection. */
export interface ProbedAccount {
  /**
   * Who the account is, by ids that neither a rename nor another spelling of the address changes: the same for every probe of one account,
   * different for two accounts, on two sites too. Compared, never shown.
   */
  account: string;
  /** What people call it (`@ann`, the title of a publication). Shown, never compared: names change and are given to others. */
  name: string;
  /** What `account` was for this very account before it was known by these ids. */
  formerAccounts?: readonly string[];
  /** Where the API really is, when the author gave the address of the site. */
  baseUrl?: string;
  /** What the client needs besides the credentials (ids of the person, of the site); kept encrypted with them. */
  settings?: Record<string, string>;
}

/** How a call to a destination ended. `reason` is a sentence for the author and holds no secret and no body. */
export type Outcome<T> =
  | { kind: 'done'; value: T }
  /**
   * The request may have been sent and no usable answer came: it may or may not have been carried out. `mayArriveLate` is false where
   * the platform itself answered, so that the request is not on its way any more.
   */
  | { kind: 'unknown'; reason: string; mayArriveLate?: false }
  /** A permanent refusal. `code` is stable; `maybeSaved` marks platforms that may save a post that they refuse. */
  | { kind: 'rejected'; code: string; reason: string; maybeSaved?: boolean }
  /** `retryAfterMs` is bounded already; null where the platform did not say. */
  | { kind: 'rateLimited'; retryAfterMs: number | null; reason: string }
  | { kind: 'unauthorised'; reason: string }
  /**
   * Nothing was changed (never sent, or the platform's own 5xx on what may be repeated); try later, and no sooner than `retryAfterMs`.
   * `mostTries`: something in between lets this server through to nothing, which time alone rarely mends; after so many the author is told.
   */
  | { kind: 'unavailable'; reason: string; retryAfterMs?: number | null; mostTries?: number }
  /** Somebody else changed the post there since `unchangedSince`; nothing was sent. */
  | { kind: 'drifted'; changedAt: string; reason: string };

export type Failure = Exclude<Outcome<never>, { kind: 'done' }>;

export interface Formatted<P> {
  payload: P;
  /** What the platform will not show as written. */
  losses: Notice[];
  /** Set where the platform would certainly refuse this article. */
  refusal: Notice | null;
}

export interface DestinationClient<P> {
  /** Checks the credential and the address, and returns the account. Changes nothing there. */
  probe(): Promise<Outcome<ProbedAccount>>;
  /**
   * Looks for the account's own post of this article; null where it is not there, which is certain only after the read lag. With `restored`, a
   * second and wider search, after one without it found nothing.
   */
  find(article: Sought): Promise<Outcome<RemotePost | null>>;
  /**
   * Creates what must exist before a post can be created or changed (tags, an uploaded cover) and returns the payload with
   * its ids. Safe to run twice and to interrupt: it creates no post and nothing twice. Absent where a post is one request.
   */
  prepare?(payload: P): Promise<Outcome<P>>;
  /** One request: anything else it needs belongs into `prepare`. */
  create(payload: P): Promise<Outcome<RemotePost>>;
  /**
   * Where the platform says when a post was changed, and `unchangedSince` is given, a post that was changed later is left
   * alone (`drifted`). Null and undefined overwrite. Our own withdrawal does not count; an earlier update whose outcome is
   * unknown would, so a repeat of one gives null.
   *
   * A post that the platform shows to be somebody else's is left alone too (`rejected`, code `remote_not_ours`).
   */
  update(remoteId: string, payload: P, unchangedSince?: string | null): Promise<Outcome<RemotePost>>;
  /** As for an update, somebody else's post is left alone; `article` is by what a post is known whose author was changed there. */
  withdraw(remoteId: string, article?: LookUp): Promise<Outcome<null>>;
}

export interface ClientOptions {
  connection: Connection;
  /** Aborts the call, for example when the activity is cancelled. */
  signal?: AbortSignal | undefined;
  /** For one HTTP exchange, headers to last byte. */
  timeoutMs: number;
  now: () => Date;
  /**
   * What of the private address space may be reached: nothing (default), all of it except link-local, metadata and reserved
   * addresses (`true`), or just these hosts and addresses (with or without a port) and CIDR ranges. Plain http is used for nothing else.
   */
  allowPrivate?: boolean | readonly string[] | undefined;
  /** Called where an answer says that the account's rate limit is used up for so many milliseconds. */
  onPause?: ((ms: number) => void) | undefined;
}

/** A platform as the registry knows it. `P` is the platform's own payload. */
export interface Destination<P = unknown> {
  platform: Platform;
  /** Shown to authors: "DEV / Forem". */
  label: string;
  /** The address of a connection when its author gives no other; null where it must be given. */
  defaultBaseUrl: string | null;
  /** Names in `Connection.credentials` that the client cannot do without. */
  credentialFields: readonly string[];
  /** Further names that a person may give. What a probe found is not among them. */
  optionalFields: readonly string[];
  limits: Limits;
  /** One spelling for every address that an author may give of one place; its result is its own normal form. */
  normalizeBaseUrl(baseUrl: string): string;
  format(article: DeliverableArticle): Formatted<P>;
  /**
   * The remote id in a post's public address, for authors who settle an unknown outcome; null where it is no address of a post at the place that
   * `baseUrl` connects.
   */
  readPostUrl(url: string, baseUrl: string): string | null;
  createClient(options: ClientOptions): DestinationClient<P>;
}
