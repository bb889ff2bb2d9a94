/**
 * How many event streams one user and one network may have open on this instance. The oldest goes when there is one too many. Its client would
 * come back at once and push out the next one, for ever, so that it is told once to stay away.
 */
import { toNetwork } from '../../plugins/network.ts';
import { hash } from 'node:crypto';

export interface StreamLimits {
  perUser: number;
  perAddress: number;
}

/** Who holds a stream. */
export interface StreamHolder {
  userId: string;
  /** The stream token, sent again by clients that reconnect. Absent for streams of the desk. */
  token?: string;
  address: string;
}

export interface StreamRegister<Stream> {
  /** Counts a stream, and returns those that must go for it. */
  add(holder: StreamHolder, stream: Stream): Stream[];
  remove(stream: Stream): void;
  /** True, once, for the client of a stream that had to go. */
  refusesReturn(token: string): boolean;
  /** The oldest first. */
  ofUser(userId: string): Stream[];
  all(): Stream[];
  readonly size: number;
}

/** After it no token is valid any more, evicted or not. */
const REMEMBERED_MS = 6 * 60_000;

export function createStreamRegister<Stream>(limits: StreamLimits, now: () => number): StreamRegister<Stream> {
  // Sets and maps keep the order of insertion: what comes first is the oldest.
  const holders = new Map<Stream, { userId: string; network: string; client: string | null }>();
  const byUser = new Map<string, Set<Stream>>();
  const byNetwork = new Map<string, Set<Stream>>();
  const evicted = new Map<string, { times: number; until: number }>();

  function remove(stream: Stream): void {
    const holder = holders.get(stream);
    if (!holder) return;
    holders.delete(stream);
    removeFrom(byUser, holder.userId, stream);
    removeFrom(byNetwork, holder.network, stream);
  }

  function evictOldest(streams: Set<Stream>): Stream[] {
    const [oldest] = streams;
    const holder = oldest === undefined ? undefined : holders.get(oldest);
    if (oldest === undefined || !holder) return [];
    remove(oldest);
    if (holder.client === null) return [oldest];
    for (const [client, { until }] of evicted) {
      if (until > now()) break;
      evicted.delete(client);
    }
    const times = (evicted.get(holder.client)?.times ?? 0) + 1;
    // Deleted first, so that the map stays in the order of `until`.
    evicted.delete(holder.client);
    evicted.set(holder.client, { times, until: now() + REMEMBERED_MS });
    return [oldest];
  }

  return {
    add({ userId, token, address }, stream) {
      const network = toNetwork(address);
      const [ofUser, ofNetwork] = [getSet(byUser, userId), getSet(byNetwork, network)];
      const gone = ofUser.size >= limits.perUser ? evictOldest(ofUser) : [];
      if (ofNetwork.size >= limits.perAddress) gone.push(...evictOldest(ofNetwork));
      holders.set(stream, { userId, network, client: token === undefined ? null : nameClient(token) });
      // Looked up again: an eviction removes a set that it leaves empty.
      getSet(byUser, userId).add(stream);
      getSet(byNetwork, network).add(stream);
      return gone;
    },
    remove,
    refusesReturn(token) {
      const client = nameClient(token);
      const entry = evicted.get(client);
      if (!entry || entry.until <= now()) return false;
      if (entry.times === 1) evicted.delete(client);
      else entry.times -= 1;
      return true;
    },
    ofUser: (userId) => [...(byUser.get(userId) ?? [])],
    all: () => [...holders.keys()],
    get size() {
      return holders.size;
    },
  };
}

/** A token is ten times as long, and a secret: neither is kept for as long as a stream is open. */
function nameClient(token: string): string {
  return hash('sha256', token, 'base64url');
}

function getSet<Stream>(map: Map<string, Set<Stream>>, key: string): Set<Stream> {
  const existing = map.get(key);
  if (existing) return existing;
  const created = new Set<Stream>();
  map.set(key, created);
  return created;
}

function removeFrom<Stream>(map: Map<string, Set<Stream>>, key: string, stream: Stream): void {
  const streams = map.get(key);
  streams?.delete(stream);
  if (streams?.size === 0) map.delete(key);
}
