/** The shapes of JSON columns. */

/**
 * Keys to find a copy that an attempt may have created. They are the article's at that time, before
 * later edits.
 */
export interface LookUpKeys {
  canonicalUrl: string;
  slug: string;
  title: string;
}

/** The response stored under an `Idempotency-Key`. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}
