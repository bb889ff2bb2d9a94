/**
 * Limits the open event streams per user and network on this instance. A new stream above a limit
 * evicts the oldest one. The evicted client would reconnect and evict the next, so it is rejected
 * once.
 */
import { LRUCache } from 'lru-cache';
import { toNetwork } from '../../plugins/network.ts';

export interface StreamLimits {
  perUser: number;
  perAddress: number;
}

interface LimitedStream {
  userId: string;
  address: string;
  client: string | null;
}

const MAX_EVICTED_CLIENTS = 10_000;

export function createStreamRegister<Stream extends LimitedStream>({ perUser, perAddress }: StreamLimits) {
  // Sets and maps iterate in insertion order, oldest first.
  const streams = new Set<Stream>();
  const byUser = new Map<string, Set<Stream>>();
  const byNetwork = new Map<string, Set<Stream>>();
  const evictedClients = new LRUCache<string, true>({ max: MAX_EVICTED_CLIENTS });
  const listKeys = ({ userId, address }: Stream) =>
    [
      [byUser, userId],
      [byNetwork, toNetwork(address)],
    ] as const;

  function remove(stream: Stream): void {
    if (!streams.delete(stream)) return;
    for (const [index, key] of listKeys(stream)) {
      const others = index.get(key);
      others?.delete(stream);
      if (others?.size === 0) index.delete(key);
    }
  }

  function evictOldest(others: Set<Stream> | undefined, limit: number): Stream[] {
    const [oldest] = others ?? [];
    if (oldest === undefined || (others?.size ?? 0) < limit) return [];
    remove(oldest);
    if (oldest.client !== null) evictedClients.set(oldest.client, true);
    return [oldest];
  }

  return {
    /** Registers a stream and returns the streams that it evicts. */
    add(stream: Stream): Stream[] {
      const evicted = evictOldest(byUser.get(stream.userId), perUser);
      evicted.push(...evictOldest(byNetwork.get(toNetwork(stream.address)), perAddress));
      streams.add(stream);
      for (const [index, key] of listKeys(stream)) index.set(key, (index.get(key) ?? new Set()).add(stream));
      return evicted;
    },
    remove,
    /** True, once, for a client with an evicted stream. */
    consumeEviction: (client: string): boolean => evictedClients.delete(client),
    /** Oldest first. */
    ofUser: (userId: string): Stream[] => [...(byUser.get(userId) ?? [])],
    all: (): Stream[] => [...streams],
    count: (): number => streams.size,
  };
}
