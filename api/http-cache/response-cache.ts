/**
 * Cached responses of this instance, in bounded memory with LRU eviction. The cache is
 * - *trusted* while its LISTEN connection has answered a probe within `LEASE_MS`: responses are sent;
 * - *pending* while a change that this instance committed is not announced yet: reads are delayed;
 * - *untrusted* otherwise: each request renders; nothing is stored until the connection listens.
 * A change drops the responses with its cache tags, and makes those being rendered stale.
 */
import { LRUCache } from 'lru-cache';
import { ALL_CACHE_TAGS, CHANGE_CHANNEL } from '../../store/changes/list-changes.ts';
import type { CachedResponse } from './cached-response.ts';
import { buildMarkdownCacheKey, prefersMarkdown } from './prefers-markdown.ts';

/** Maximum age of a stale response if the network drops the LISTEN connection without an error. */
const LEASE_MS = 1_000;
/** One response may take at most an eighth of the memory. */
const MAX_ENTRY_DIVISOR = 8;

/** A response being rendered. A change of its tags meanwhile makes it stale. */
export interface PendingResponse {
  /** Caches the response, unless one of its tags has changed since `begin`. */
  store(cached: CachedResponse): void;
  end(): void;
}

export type ResponseCache = ReturnType<typeof createResponseCache>;

export function createResponseCache({ maxBytes }: { maxBytes: number }) {
  const keysByTag = new Map<string, Set<string>>();
  const pendingResponses = new Set<(tags: readonly string[] | null) => void>();
  const entries = new LRUCache<string, CachedResponse>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / MAX_ENTRY_DIVISOR),
    sizeCalculation: (cached, key) => cached.bytes + 4 * key.length + 200 * cached.cacheTags.length,
    dispose(cached, key) {
      for (const tag of cached.cacheTags) {
        const keys = keysByTag.get(tag);
        keys?.delete(key);
        if (keys?.size === 0) keysByTag.delete(tag);
      }
    },
  });
  let isListening = false;
  /** Time at which the latest answered probe of the LISTEN connection was sent. */
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let distrustedAt = Number.NEGATIVE_INFINITY;
  /** While pending, a change that this instance has committed may not be announced to it yet. */
  let pendingAnnouncements: Promise<void> | null = null;
  /** Increases with each change: a request shares only runs that began at the current version. */
  let version = 0;

  const isTrusted = () => isListening && confirmedAt >= distrustedAt && performance.now() - confirmedAt < LEASE_MS;

  function insert(key: string, cached: CachedResponse): void {
    // lru-cache does not measure a value that it already has again.
    entries.delete(key);
    entries.set(key, cached);
    if (!entries.has(key)) return;
    for (const tag of cached.cacheTags) {
      const keys = keysByTag.get(tag);
      if (keys) keys.add(key);
      else keysByTag.set(tag, new Set([key]));
    }
  }

  /** Null drops everything. */
  function drop(tags: readonly string[] | null): void {
    version += 1;
    for (const notify of pendingResponses) notify(tags);
    if (tags === null) entries.clear();
    for (const tag of tags ?? []) {
      for (const key of [...(keysByTag.get(tag) ?? [])]) entries.delete(key);
    }
  }

  return {
    get(key: string): CachedResponse | undefined {
      return isTrusted() ? entries.get(key) : undefined;
    },
    /** Looks up the URL of a request as sent. Only the canonical spelling matches. */
    getByUrl(url: string, accept: string | undefined): CachedResponse | undefined {
      if (!isTrusted()) return undefined;
      if (!prefersMarkdown(accept)) return entries.get(url);
      const markdown = entries.get(buildMarkdownCacheKey(url));
      if (markdown) return markdown;
      const response = entries.get(url);
      return response?.variesByAccept ? undefined : response;
    },
    /** Updates the size of a response that was encoded with a further coding. */
    updateSize(key: string): void {
      const cached = entries.peek(key);
      if (cached) insert(key, cached);
    },
    begin(key: string): PendingResponse {
      let isStale = !isListening;
      const changed = new Set<string>();
      const notify = (tags: readonly string[] | null) => {
        if (tags === null) isStale = true;
        else for (const tag of tags) changed.add(tag);
      };
      pendingResponses.add(notify);
      return {
        store(cached) {
          if (isStale || !cached.isCacheable || cached.cacheTags.some((tag) => changed.has(tag))) return;
          insert(key, cached);
        },
        end: () => void pendingResponses.delete(notify),
      };
    },
    get version() {
      return version;
    },
    /**
     * Delays further reads until `announced` resolves. It resolves to false if announcements may be
     * missing; then all cached responses are distrusted.
     */
    delayReadsUntil(announced: Promise<boolean>): void {
      const settled = announced.then((isComplete) => {
        if (!isComplete) this.distrustAll();
        if (pendingAnnouncements === settled) pendingAnnouncements = null;
      });
      pendingAnnouncements = settled;
    },
    /** Null if there is nothing to wait for, which is the usual case. */
    get pendingAnnouncements() {
      return pendingAnnouncements;
    },
    /** Distrusts cached and pending responses until the LISTEN connection answers another probe. */
    distrustAll(): void {
      distrustedAt = performance.now();
      version += 1;
    },
    isTrusted,
    get bytes() {
      return entries.calculatedSize;
    },
    get count() {
      return entries.size;
    },
    /** Callbacks of the notification listener. */
    audience: {
      channels: {
        [CHANGE_CHANNEL]: (payload: string) => drop(payload === ALL_CACHE_TAGS ? null : payload.split(' ')),
      },
      onListening() {
        drop(null);
        isListening = true;
      },
      onCaughtUp(probedAt: number) {
        confirmedAt = probedAt;
      },
      onLost() {
        isListening = false;
        drop(null);
      },
    },
  };
}
