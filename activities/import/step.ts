/** What the parts of an import step share: their types, and the limits of requests to other hosts. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SourceContext, SourceResult } from '../../sources/types.ts';
import type { ActivityDeps } from '../deps.ts';

export interface ImportStep {
  deps: ActivityDeps;
  context: SourceContext;
  pace: ReturnType<typeof createRequestSpacing>;
  unavailableHosts: ReturnType<typeof createUnavailableHosts>;
  /** The account of all posts at the source, for posts without one. Requested once per run. */
  findAccount: () => Promise<string | null>;
}

/** `ended`: the import has ended. `later`: a pause is needed. */
export type Advance = 'continue' | 'ended' | Extract<SourceResult<never>, { kind: 'later' }>;

const MAX_HOSTS = 10_000;

/** Spaces requests to each host across all imports of this process. */
export function createRequestSpacing() {
  const nextAt = new Map<string, number>();
  return {
    /** Resolves when the next request to the host is allowed. */
    async wait(address: string, intervalMs: number): Promise<void> {
      const host = URL.canParse(address) ? new URL(address).host : address;
      const now = performance.now();
      if (nextAt.size > MAX_HOSTS) for (const [known, at] of nextAt) if (at < now) nextAt.delete(known);
      const at = Math.max(now, nextAt.get(host) ?? 0);
      nextAt.set(host, at + intervalMs);
      if (at > now) await sleep(at - now);
    },
  };
}

const UNAVAILABLE_TTL_MS = 10 * 60_000;

/**
 * Remembers picture hosts that remained unavailable after all pauses, so that an import does not
 * wait again for each of their pictures. In memory and per import: a new import tries the host
 * again.
 */
export function createUnavailableHosts() {
  const until = new Map<string, number>();
  const buildKey = (importId: string, address: string) => `${importId} ${URL.parse(address)?.host ?? ''}`;
  return {
    has: (importId: string, address: string): boolean =>
      (until.get(buildKey(importId, address)) ?? 0) > performance.now(),
    add(importId: string, address: string): void {
      if (until.size >= MAX_HOSTS) until.clear();
      until.set(buildKey(importId, address), performance.now() + UNAVAILABLE_TTL_MS);
    },
  };
}
