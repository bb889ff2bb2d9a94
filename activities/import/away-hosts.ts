/** Hosts of pictures that are not there: old posts show pictures of places that are long gone, and each would be waited for again. Of this process. */

export interface AwayHosts {
  has(address: string): boolean;
  add(address: string): void;
}

const REMEMBERED_MS = 10 * 60_000;
const MOST_HOSTS = 10_000;

export function createAwayHosts(): AwayHosts {
  const until = new Map<string, number>();
  const readHost = (address: string) => URL.parse(address)?.host ?? '';
  return {
    has: (address) => (until.get(readHost(address)) ?? 0) > performance.now(),
    add(address) {
      if (until.size >= MOST_HOSTS) until.clear();
      until.set(readHost(address), performance.now() + REMEMBERED_MS);
    },
  };
}
