/**
 * The answers that this instance keeps, in bounded memory; the one used longest ago makes room. A change drops those that show it. They are
 * trusted while the LISTEN connection, which announces changes, has lately answered: within the lease nothing can have changed unheard.
 */
import { LRUCache } from 'lru-cache';
import { CHANGE_CHANNEL, EVERYTHING } from '../../store/changes/announcements.ts';
import { nameMarkdownKey, wantsMarkdown } from './wants-markdown.ts';
import type { Sendable } from './cached-response.ts';

/** So old at most is what a reader is shown after a change that was not heard of, because the network swallowed the connection. */
const LEASE_MS = 1_000;
/** Of the bound, what one answer may take. */
const LARGEST_PART = 8;

interface Entry {
  key: string;
  sendable: Sendable;
}

/** The making of an answer, which may be overtaken by a change of what it shows. */
export interface Making {
  /** Makes what came of it the kept answer, unless something of it has changed meanwhile. */
  keep(sendable: Sendable): void;
  end(): void;
}

export type KeptAnswers = ReturnType<typeof createKeptAnswers>;

export function createKeptAnswers({ maxBytes }: { maxBytes: number }) {
  const bySubject = new Map<string, Set<Entry>>();
  const makings = new Set<(subjects: readonly string[] | null) => void>();
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / LARGEST_PART),
    sizeCalculation: ({ key, sendable }) => sendable.bytes + 4 * key.length + 200 * sendable.shows.length,
    dispose: forget,
  });
  let isListening = false;
  /** When the last question was asked that the LISTEN connection has answered. */
  let heardAt = Number.NEGATIVE_INFINITY;
  let doubtedAt = Number.NEGATIVE_INFINITY;
  /** Until it resolves, a change that was answered here may not have been heard of. */
  let settling: Promise<void> | null = null;
  /** Whoever asks joins only what was begun since the last change. */
  let version = 0;

  const isTrusted = () => isListening && heardAt >= doubtedAt && performance.now() - heardAt < LEASE_MS;

  function forget(entry: Entry): void {
    for (const subject of entry.sendable.shows) {
      const those = bySubject.get(subject);
      those?.delete(entry);
      if (those?.size === 0) bySubject.delete(subject);
    }
  }

  /** Null: everything. */
  function drop(subjects: readonly string[] | null): void {
    version += 1;
    for (const tell of makings) tell(subjects);
    if (subjects === null) entries.clear();
    for (const subject of subjects ?? []) {
      for (const { key } of [...(bySubject.get(subject) ?? [])]) entries.delete(key);
    }
  }

  return {
    get(key: string): Sendable | undefined {
      return isTrusted() ? entries.get(key)?.sendable : undefined;
    },
    /** By an address as it was asked for: only its one spelling is found. */
    getAt(url: string, accept: string | undefined): Sendable | undefined {
      if (!isTrusted()) return undefined;
      if (!wantsMarkdown(accept)) return entries.get(url)?.sendable;
      const markdown = entries.get(nameMarkdownKey(url))?.sendable;
      if (markdown) return markdown;
      const only = entries.get(url)?.sendable;
      return only?.variesByAccept ? undefined : only;
    },
    /** It has grown by a form. */
    measureAgain(key: string): void {
      const entry = entries.peek(key);
      if (entry) entries.set(key, entry);
    },
    begin(key: string): Making {
      let isOvertaken = !isListening;
      const changed = new Set<string>();
      const tell = (subjects: readonly string[] | null) => {
        if (subjects === null) isOvertaken = true;
        else for (const subject of subjects) changed.add(subject);
      };
      makings.add(tell);
      return {
        keep(sendable) {
          if (isOvertaken || !sendable.mayBeKept || sendable.shows.some((subject) => changed.has(subject))) return;
          const entry: Entry = { key, sendable };
          entries.set(key, entry);
          if (entries.peek(key) !== entry) return;
          for (const subject of sendable.shows) {
            const those = bySubject.get(subject);
            if (those) those.add(entry);
            else bySubject.set(subject, new Set([entry]));
          }
        },
        end: () => void makings.delete(tell),
      };
    },
    get version() {
      return version;
    },
    /** Who asks from now on is served once `heard` resolves, with whether all announcements have come; where they have not, all is in doubt. */
    settle(heard: Promise<boolean>): void {
      const settled = heard.then((isHeard) => {
        if (!isHeard) this.doubt();
        if (settling === settled) settling = null;
      });
      settling = settled;
    },
    /** Null where there is nothing to wait for, as almost always. */
    get settling() {
      return settling;
    },
    /** Nothing that is kept, or being made, is good enough for who asks from now on, until the LISTEN connection answers again. */
    doubt(): void {
      doubtedAt = performance.now();
      version += 1;
    },
    isTrusted,
    get bytes() {
      return entries.calculatedSize;
    },
    get count() {
      return entries.size;
    },
    /** For the listener. */
    audience: {
      channels: {
        [CHANGE_CHANNEL]: (payload: string) => drop(payload === EVERYTHING ? null : payload.split(' ')),
      },
      onListening() {
        drop(null);
        isListening = true;
      },
      onHeard(askedAt: number) {
        heardAt = askedAt;
      },
      onLost() {
        isListening = false;
        drop(null);
      },
    },
  };
}
