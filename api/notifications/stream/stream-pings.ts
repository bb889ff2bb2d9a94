/**
 * Pings all open streams with one timer. Each tick pings only a part of them, because 10,000 writes
 * at once would block the event loop.
 */
import { type EventStream, ping } from './event-stream.ts';

/** Well below the idle timeout of proxies, which is a minute for most of them. */
const PING_MS = 20_000;
const PARTS = 20;

export interface StreamPings {
  add(stream: EventStream): void;
  remove(stream: EventStream): void;
  stop(): void;
}

export function startPings(everyMs = PING_MS): StreamPings {
  const parts = Array.from({ length: PARTS }, () => new Set<EventStream>());
  let due = 0;
  let next = 0;
  const timer = setInterval(() => {
    for (const stream of parts[due] ?? []) ping(stream);
    due = (due + 1) % PARTS;
  }, everyMs / PARTS).unref();
  return {
    add(stream) {
      parts[next]?.add(stream);
      next = (next + 1) % PARTS;
    },
    remove(stream) {
      for (const part of parts) if (part.delete(stream)) return;
    },
    stop: () => clearInterval(timer),
  };
}
