/** Spaces requests to each host across all imports of this process. */
import { setTimeout as sleep } from 'node:timers/promises';

export type RequestSpacing = ReturnType<typeof createRequestSpacing>;

const MAX_HOSTS = 10_000;

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
