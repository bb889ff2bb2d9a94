/**
 * Hosts of pictures that are not there: old posts show pictures of places that are long gone, and each would be waited for again. Of this process,
 * and for one author: what one author's pictures lead to says nothing of another's.
 */

export interface AwayHosts {
  has(authorId: string, address: string): boolean;
  add(authorId: string, address: string): void;
}

const REMEMBERED_MS = 10 * 60_000;
const MOST_HOSTS = 10_000;

export function createAwayHosts(): AwayHosts {
  const until = new Map<string, number>();
  const buildKey = (authorId: string, address: string) => `${authorId} ${URL.parse(address)?.host ?? ''}`;
  return {
    has: (authorId, address) => (until.get(buildKey(authorId, address)) ?? 0) > performance.now(),
    add(authorId, address) {
      if (until.size >= MOST_HOSTS) until.clear();
      until.set(buildKey(authorId, address), performance.now() + REMEMBERED_MS);
    },
  };
}
