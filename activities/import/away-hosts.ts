/**
 * Hosts of pictures that were away or busy however long they were waited for: each further picture would be waited for again. Of this process, and
 * for one import: its author may order another one as soon as the host is there again.
 */

export interface AwayHosts {
  has(importId: string, address: string): boolean;
  add(importId: string, address: string): void;
}

const REMEMBERED_MS = 10 * 60_000;
const MOST_HOSTS = 10_000;

export function createAwayHosts(): AwayHosts {
  const until = new Map<string, number>();
  const buildKey = (importId: string, address: string) => `${importId} ${URL.parse(address)?.host ?? ''}`;
  return {
    has: (importId, address) => (until.get(buildKey(importId, address)) ?? 0) > performance.now(),
    add(importId, address) {
      if (until.size >= MOST_HOSTS) until.clear();
      until.set(buildKey(importId, address), performance.now() + REMEMBERED_MS);
    },
  };
}
