/** Public responses: the same bytes for every request of an address in one form. */

/**
 * Cache tag: what a response depends on. A change of a tag drops the responses that have it.
 * - `article:<id>`: an article, with its author's name, its comments and reactions.
 * - `author:<id>`: an author's list of articles.
 * - `series:<id>`: a series with its parts.
 * - `followers:<authorId>`: an author's number of followers.
 * - `articles`: any public article of the site.
 * - `roundups`: the set of weeks that have a roundup.
 */
export type CacheTag =
  | `article:${string}`
  | `author:${string}`
  | `series:${string}`
  | `followers:${string}`
  | 'articles'
  | 'roundups';

export interface PublicResponse {
  /** 404 and 410 are never cached. */
  status: 200 | 404 | 410;
  /** Content type. */
  type: string;
  body: string | Buffer;
  /** Besides type, validators and security headers. `Vary: Accept` if `Accept` chose the form. */
  headers?: Record<string, string>;
  /**
   * Last change of everything shown. Null for content that will change without an author's action:
   * clients must not store it, but this instance caches it until a tag changes.
   */
  lastModified: Date | null;
  /** Cache tags. Without any, the response is not cached. */
  cacheTags: readonly CacheTag[];
}

/** A permanent redirect, without body and validators. */
export interface PermanentRedirect {
  status: 301;
  location: string;
  cacheTags: readonly CacheTag[];
}

export const JSON_TYPE = 'application/json; charset=utf-8';
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** Any origin may read the response: it depends on no cookie or token. */
export const FOR_ANY_ORIGIN = { 'access-control-allow-origin': '*' } as const;
/** Excludes a response from search engines, which should list the canonical page instead. */
export const NOT_INDEXED = { 'x-robots-tag': 'noindex' } as const;
