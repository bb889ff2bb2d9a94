/** Pings of all open streams by one timer. A part of them is due at each tick: one for each of ten thousand streams in one go would hold up everything else. */
import { type EventStream, ping } from './event-stream.ts';

/** Well below the time after which proxies close an idle connection, which is a minute at most of them. */
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
