/**
 * Defines a destination: limits, a pure format, and a client that returns typed outcomes.
 * Deliveries depend on `kind` alone; no other code reads status codes.
 *
 * The files of a platform's folder. Some platforms have more:
 *
 * - `index.ts`     the descriptor, as registered in `registry.ts`
 * - `limits.ts`    `LABEL`, `BASE_URL` and `limits`
 * - `format.ts`    `formatArticle`: the payload and the losses; pure
 * - `body.ts`      `writeBody`: the text of the article
 * - `client.ts`    `createClient`: probe, find, prepare, create, update, withdraw
 * - `refusals.ts`  `interpretRefusal`: interprets the platform's own errors
 * - `address.ts`   `findApiRoot`: the address of the API from the one that an author enters
 * - `find.ts`      `findPost`, and `posts.ts`, which reads responses, if `client.ts` is too long
 *
 * Shared code: `http/` (requests and their results), `posts/` (existing posts) and `format/`.
 */
import type { DeliverableArticle, Notice } from '../article/types.ts';
import type { Platform } from './platforms.ts';
import type { RejectionCode } from './rejection-codes.ts';

export type { Platform } from './platforms.ts';

/** A connection: its address and the decrypted credentials. Held in memory only. */
export interface Connection {
  baseUrl: string;
  /** Platform-specific secrets: `{ apiKey }`, `{ token, publicationId }`. Never logged. */
  credentials: Record<string, string>;
}

/** The platform's limits, for pre-flight, pacing and look-ups. */
export interface Limits {
  titleLength: number;
  tags: number;
  bodyBytes: number;
  /** GCRA: one write every `intervalMs`, with bursts of up to `burst` writes. */
  pacing: { intervalMs: number; burst: number };
  /** How long after a write `find` may still miss it. */
  readLagMs: number;
  /** Whether `find` can prove that a post exists. */
  canFind: boolean;
  canUpdate: boolean;
  /** The effect of `withdraw`: post deleted, unpublished, only hidden from lists, or none. */
  withdraw: 'deleted' | 'unpublished' | 'delisted' | 'none';
  /**
   * Set if the platform recognises an identical post for some time after the first. Repeating the
   * request then replaces a look-up, from `afterMs` to `withinMs` after the first attempt. Else
   * null.
   */
  repeat: { afterMs: number; withinMs: number } | null;
}

export interface RemotePost {
  remoteId: string;
  url: string;
  /** When the post last changed, by the platform's clock, in ISO 8601. Null if omitted. */
  changedAt: string | null;
  /** Warnings although the post was written: a cover that could not be fetched, for example. */
  notices?: readonly Notice[];
  /**
   * A create was refused as the duplicate of this post, which existed before and may have another
   * writer. It is ours only if an earlier attempt sent exactly the same content.
   */
  isDuplicate?: true;
}

/** Identifies an article's post on a platform. */
export interface PostIdentity {
  canonicalUrl: string;
  slug: string;
  title: string;
}

/** The argument of `find`. */
export interface PostQuery extends PostIdentity {
  /** Ids of posts that belong to other articles. Several articles may have one canonical URL. */
  excludedIds?: ReadonlySet<string>;
  restored?: RestoredAddresses;
}

/** After a restore: a post may have the address of a slug chosen after the backup. */
export interface RestoredAddresses {
  /** The URL of this site, without a trailing slash. */
  siteUrl: string;
  /** Current and former addresses of the article on this site. */
  formerUrls: readonly string[];
  /** Addresses of other articles that may have posts at this account. */
  otherUrls: readonly string[];
}

/** The result of a probe. It is stored with the connection. */
export interface ProbedAccount {
  /**
   * Identifies the account by ids that survive renames and other spellings of the address. Every
   * probe of one account returns the same value; two accounts differ, on two sites too. Never
   * shown.
   */
  account: string;
  /** The display name (`@ann`, a title). Never compared: names change and are reused. */
  name: string;
  /** The value of `account` before the server returned stable ids: an older Ghost. */
  formerAccount?: string;
  /** The actual address of the API, if the author entered the address of the site. */
  baseUrl?: string;
  /** Further ids that the client needs (a person, a site). Sealed with the credentials. */
  settings?: Record<string, string>;
}

/** How a call ended. `reason` is a sentence for the author, without secrets or bodies. */
export type Outcome<T> =
  | { kind: 'done'; value: T }
  /**
   * The request may have been sent and no usable response arrived, so its effect is unknown.
   * `mayArriveLate` is false if the platform itself responded: the request is no longer under way.
   */
  | { kind: 'unknown'; reason: string; mayArriveLate?: false }
  /**
   * A permanent refusal. `code` is stable. `mayBeSaved` marks refusals after which the post may
   * exist. `retryOnceAfterMs`: the cause ends after this time, so a create is repeated once.
   */
  | { kind: 'rejected'; code: RejectionCode; reason: string; mayBeSaved?: boolean; retryOnceAfterMs?: number }
  /** `retryAfterMs` is already bounded. Null if the platform named none. */
  | { kind: 'rateLimited'; retryAfterMs: number | null; reason: string }
  | { kind: 'unauthorised'; reason: string }
  /**
   * Nothing was changed: never sent, or the platform's own 5xx on a repeatable request. Retry after
   * `retryAfterMs`. The attempts are limited if an intermediary blocks this server, because time
   * alone rarely ends that; the author is notified afterwards.
   */
  | { kind: 'unavailable'; reason: string; retryAfterMs?: number | null; maxAttempts?: number }
  /** The post changed at the platform after `unchangedSince`. Nothing was sent. */
  | { kind: 'drifted'; changedAt: string; reason: string };

export type Failure = Exclude<Outcome<never>, { kind: 'done' }>;

export type { RejectionCode };

/** A refusal before anything is sent, which the delivery reports with the same code. */
export type RefusalNotice = Notice<RejectionCode>;

export interface Formatted<P> {
  payload: P;
  /** The parts of the article that the platform will not show as written. */
  losses: Notice[];
  /** Set if the platform would certainly refuse this article. */
  refusal: RefusalNotice | null;
}

export interface DestinationClient<P> {
  /** Checks the credential and the address, and returns the account. Changes nothing there. */
  probe(): Promise<Outcome<ProbedAccount>>;
  /**
   * Finds the account's own post of this article. Null if it is absent, which is certain only after
   * the read lag. With `restored`: a second, wider search, after one without it found nothing.
   */
  find(article: PostQuery): Promise<Outcome<RemotePost | null>>;
  /**
   * Creates the objects that a post refers to (tags, an uploaded cover) and returns the payload
   * with their ids. Creates no post. Safe to repeat and to interrupt. Absent if `create` needs no
   * preparation.
   */
  prepare?(payload: P): Promise<Outcome<P>>;
  /** Sends one request. Anything else it needs belongs in `prepare`. */
  create(payload: P): Promise<Outcome<RemotePost>>;
  /**
   * Sends nothing (`drifted`) if the platform reports a change after `unchangedSince`; null
   * overwrites. Our own withdrawal does not count. A repeat of an update with unknown outcome
   * passes null. A post that is visibly somebody else's is `rejected` as `remote_not_ours`.
   */
  update(remoteId: string, payload: P, unchangedSince?: string | null): Promise<Outcome<RemotePost>>;
  /** Rejects somebody else's post. `article` identifies ours if its author was changed there. */
  withdraw(remoteId: string, article?: PostIdentity): Promise<Outcome<null>>;
}

export interface ClientOptions {
  connection: Connection;
  /** Aborts the call, for example when the activity is cancelled. */
  signal?: AbortSignal | undefined;
  /** For one HTTP exchange, headers to last byte. */
  timeoutMs: number;
  now: () => Date;
  /**
   * The private addresses that may be reached, the only ones over plain HTTP. None by default;
   * `true` allows all but link-local, metadata and reserved addresses. A list allows only these
   * hosts, addresses (with or without a port) and CIDR ranges.
   */
  allowPrivate?: boolean | readonly string[] | undefined;
}

export interface CredentialField {
  /** The name that the platform's client uses. */
  name: string;
  label: string;
  hint: string;
  /** Secrets are never sent back to a browser. */
  kind: 'secret' | 'text';
  isOptional?: true;
}

/** The form that connects an account. Its texts may contain `[links](https://…)` and `code`. */
export interface ConnectionForm {
  /** Steps to obtain the credential, in the platform's terms. */
  steps: readonly string[];
  /** A warning below the steps. */
  caution?: string;
  fields: readonly CredentialField[];
  /** The field for the address of the API or of the site. */
  address: { label: string; hint: string };
  /** The address of a connection if its author enters none. Null if the author must enter one. */
  defaultBaseUrl: string | null;
}

/** Describes a platform to other code. Exported by its `index.ts`. `P` is its payload. */
export interface DestinationDescriptor<P = unknown> {
  platform: Platform;
  /** The name for authors. */
  label: string;
  /** The name of a copy for readers, such as "DEV". `host` is the host of its URL. */
  nameCopy(host: string): string;
  connection: ConnectionForm;
  limits: Limits;
  /** Maps all spellings of one site's address to one normal form. Idempotent. */
  normalizeBaseUrl(baseUrl: string): string;
  format(article: DeliverableArticle): Formatted<P>;
  /** Whether `format` renders the whole body, which takes about as long as the article's page. */
  formatsAsHtml: boolean;
  /**
   * The remote id in a post's public URL, for authors who resolve an unknown outcome. Null if it is
   * not the URL of a post at the site that `baseUrl` connects. Absent if `find` finds the post.
   */
  readPostUrl?(url: string, baseUrl: string): string | null;
}

export interface Destination<P = unknown> extends DestinationDescriptor<P> {
  createClient(options: ClientOptions): DestinationClient<P>;
}
