/**
 * The articles of the simulated Forem, and its rate limits: the edge counts requests, the
 * application behind it counts publications.
 */
import type { ForemAccount } from '../accounts.ts';
import type { SandboxContext } from '../context.ts';
import type { SandboxResponse } from '../exchange.ts';
import type { SandboxPost, Table } from '../state.ts';

export interface ForemArticle extends SandboxPost {
  status: 'published' | 'draft';
  slug: string;
  bodyMarkdown: string;
  tags: string[];
  description: string | null;
  mainImage: string | null;
  publishedAt: string | null;
  editedAt: string | null;
}

export interface ForemContext extends SandboxContext {
  articles: Table<ForemArticle>;
  rates: ForemRates;
}

/** The name that an account's articles have, whatever the account is called now. */
export function nameOwner({ username, formerName = username }: ForemAccount): string {
  return formerName;
}

/** Requests in a second: of one address and key, or of one address. */
const MAX_REQUESTS = { write: 1, read: 3 };
/** Of one account. */
export const PUBLICATIONS = { limit: 10, periodMs: 30_000 };

export class ForemRates {
  #hits = new Map<string, number[]>();

  /** Counts a request at the edge. Returns a 429 in plain text above the limit. */
  passEdge(kind: 'read' | 'write', caller: string, now: number): SandboxResponse | null {
    const key = `${kind}/${caller}`;
    const hits = (this.#hits.get(key) ?? []).filter((at) => at > now - 1000);
    if (hits.length >= MAX_REQUESTS[kind]) {
      return { status: 429, headers: { 'content-type': 'text/plain', 'retry-after': '1' }, body: 'Retry later\n' };
    }
    this.#hits.set(key, [...hits, now]);
    return null;
  }
}

export function buildRateLimited(): SandboxResponse {
  const error = 'Rate limit reached, try again in 30 seconds';
  return { status: 429, headers: { 'retry-after': '30' }, body: { error, status: 429 } };
}
