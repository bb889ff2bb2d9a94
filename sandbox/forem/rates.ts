/**
 * Simulates Forem's rate limits: the edge counts requests, the application behind it counts
 * publications.
 */
import type { SandboxResponse } from '../faults.ts';

interface Window {
  limit: number;
  periodMs: number;
  retryAfter: number;
}

const EDGE_WRITES: Window = { limit: 1, periodMs: 1000, retryAfter: 1 };
const EDGE_READS: Window = { limit: 3, periodMs: 1000, retryAfter: 1 };
const UPDATES: Window = { limit: 30, periodMs: 30_000, retryAfter: 30 };
const PUBLICATIONS: Window = { limit: 10, periodMs: 30_000, retryAfter: 30 };
const FIRST_PUBLICATIONS: Window = { limit: 1, periodMs: 300_000, retryAfter: 300 };

export class ForemRates {
  #hits = new Map<string, number[]>();

  /** Counts a request at the edge. Returns a 429 in plain text above the limit. */
  passEdge(kind: 'read' | 'write', caller: string, now: number): SandboxResponse | null {
    const window = kind === 'write' ? EDGE_WRITES : EDGE_READS;
    if (this.#count(`edge/${kind}/${caller}`, window, now)) return null;
    const headers = { 'content-type': 'text/plain', 'retry-after': String(window.retryAfter) };
    return { status: 429, headers, body: 'Retry later\n' };
  }

  passUpdate(username: string, now: number): SandboxResponse | null {
    return this.#count(`update/${username}`, UPDATES, now) ? null : buildRateLimited(UPDATES);
  }

  /** `publishedAt` contains the times of all the author's published articles. */
  passPublication(publishedAt: number[], isNewAccount: boolean, now: number): SandboxResponse | null {
    const window = isNewAccount ? FIRST_PUBLICATIONS : PUBLICATIONS;
    const recent = publishedAt.filter((at) => at > now - window.periodMs).length;
    return recent < window.limit ? null : buildRateLimited(window);
  }

  #count(key: string, { limit, periodMs }: Window, now: number): boolean {
    const hits = (this.#hits.get(key) ?? []).filter((at) => at > now - periodMs);
    const passes = hits.length < limit;
    if (passes) hits.push(now);
    this.#hits.set(key, hits);
    return passes;
  }
}

function buildRateLimited({ retryAfter }: Window): SandboxResponse {
  const error = `Rate limit reached, try again in ${retryAfter} seconds`;
  return { status: 429, headers: { 'retry-after': String(retryAfter) }, body: { error, status: 429 } };
}
