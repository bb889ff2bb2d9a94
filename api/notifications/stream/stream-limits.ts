/**
 * Limits the open event streams per user and network on this instance. A new stream above a limit
 * evicts the oldest one. The evicted client would reconnect and evict the next, so it is rejected
 * once.
 */

import { hash } from 'node:crypto';
import { toNetwork } from '../../plugins/network.ts';

export interface StreamLimits {
  perUser: number;
  perAddress: number;
}

/** The owner of a stream. */
export interface StreamHolder {
  userId: string;
  /** The stream token, sent again by clients that reconnect. Absent for streams of the desk. */
  token?: string;
  address: string;
}

export interface StreamRegister<Stream> {
  /** Registers a stream and returns the streams that it evicts. */
  add(holder: StreamHolder, stream: Stream): Stream[];
  remove(stream: Stream): void;
  /** True, once per eviction, for the client of an evicted stream. */
  consumeEviction(token: string): boolean;
  /** Oldest first. */
  ofUser(userId: string): Stream[];
  all(): Stream[];
  readonly size: number;
}

/** Longer than a stream token is valid. */
const EVICTION_RETENTION_MS = 6 * 60_000;

export function createStreamRegister<Stream>(limits: StreamLimits, now: () => number): StreamRegister<Stream> {
  // Sets and maps iterate in insertion order, oldest first.
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
    // Deleted first, so that the map remains ordered by `until`.
    evicted.delete(holder.client);
    evicted.set(holder.client, { times, until: now() + EVICTION_RETENTION_MS });
    return [oldest];
  }

  return {
    add({ userId, token, address }, stream) {
      const network = toNetwork(address);
      const [ofUser, ofNetwork] = [getSet(byUser, userId), getSet(byNetwork, network)];
      const evictedStreams = ofUser.size >= limits.perUser ? evictOldest(ofUser) : [];
      if (ofNetwork.size >= limits.perAddress) evictedStreams.push(...evictOldest(ofNetwork));
      holders.set(stream, { userId, network, client: token === undefined ? null : hashToken(token) });
      // Looked up again, because an eviction deletes a set that becomes empty.
      getSet(byUser, userId).add(stream);
      getSet(byNetwork, network).add(stream);
      return evictedStreams;
    },
    remove,
    consumeEviction(token) {
      const client = hashToken(token);
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

/** Hashed, because a token is secret and ten times as long, and a stream is open for hours. */
function hashToken(token: string): string {
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
