/** Reads a real event stream over HTTP, like `curl -N` and a browser. */
import { createParser } from 'eventsource-parser';
import { eventually } from '../eventually.ts';

export interface StreamEvent {
  id: string | undefined;
  event: string | undefined;
  data: { id: string; type: string; platform?: string; postTitle?: string; sharedUrl?: string; reason?: string };
}

export interface TestStream {
  status: number;
  events: StreamEvent[];
  /** The raw text of the stream. */
  raw(): string;
  /** The Last-Event-ID that a browser would send: the last id in a complete block. */
  lastEventId(): string | undefined;
  /** Resolves when there are at least this many events. */
  count(least: number, withinMs?: number): Promise<StreamEvent[]>;
  /** Resolves when the server ends the stream. */
  ended: Promise<void>;
  close(): void;
}

export function openStream(
  url: string,
  token: string,
  headers: Record<string, string> = {},
  query: Record<string, string> = {},
): Promise<TestStream> {
  return readStream(`${url}/notifications/stream?${new URLSearchParams({ token, ...query })}`, headers);
}

/** Opens the stream of the desk with a session cookie, like a desk page. */
export function openDeskStream(url: string, cookie: string, headers: Record<string, string> = {}): Promise<TestStream> {
  return readStream(`${url}/desk/stream`, { cookie, 'sec-fetch-site': 'same-origin', ...headers });
}

async function readStream(address: string, headers: Record<string, string>): Promise<TestStream> {
  const abort = new AbortController();
  const response = await fetch(address, {
    headers: { accept: 'text/event-stream', ...headers },
    signal: abort.signal,
  });
  const events: StreamEvent[] = [];
  let raw = '';
  const parser = createParser({
    onEvent: ({ id, event, data }) => void events.push({ id, event, data: JSON.parse(data) as StreamEvent['data'] }),
  });
  const ended = (async () => {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        const text = decoder.decode(chunk as Uint8Array, { stream: true });
        raw += text;
        parser.feed(text);
      }
    } catch (error) {
      if (!abort.signal.aborted) raw += `\n(cut: ${(error as Error).message})`;
    }
  })();
  return {
    status: response.status,
    events,
    raw: () => raw,
    lastEventId() {
      const blocks = raw.split('\n\n').slice(0, -1).join('\n');
      return [...blocks.matchAll(/^id: ?(.*)$/gm)].at(-1)?.[1];
    },
    count: (least, withinMs = 60_000) =>
      eventually(`${least} events`, async () => events.length >= least && events, { withinMs, everyMs: 20 }),
    ended,
    close: () => abort.abort(),
  };
}
