/**
 * Remembers picture hosts that remained unavailable after all pauses, so that an import does not
 * wait again for each of their pictures. In memory and per import: a new import tries the host
 * again.
 */
export type UnavailableHosts = ReturnType<typeof createUnavailableHosts>;

const TTL_MS = 10 * 60_000;
const MAX_HOSTS = 10_000;

export function createUnavailableHosts() {
  const until = new Map<string, number>();
  const buildKey = (importId: string, address: string) => `${importId} ${URL.parse(address)?.host ?? ''}`;
  return {
    has: (importId: string, address: string): boolean =>
      (until.get(buildKey(importId, address)) ?? 0) > performance.now(),
    add(importId: string, address: string): void {
      if (until.size >= MAX_HOSTS) until.clear();
      until.set(buildKey(importId, address), performance.now() + TTL_MS);
    },
  };
}
