/** Opens, writes and ends a single event stream, of notifications or of a desk page. */
import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { NotificationEvent } from '../../../store/notifications/event.ts';

export interface StreamOwner {
  /** Events of a desk stream name changed rows; the page loads them. */
  kind: 'notifications' | 'desk';
  userId: string;
  sessionId: string;
  address: string;
  /** Hash of the stream token, sent again by clients that reconnect. Null for streams of the desk. */
  client: string | null;
}

export interface EventStream extends StreamOwner {
  response: ServerResponse;
  /** Number of the last notification that was sent. */
  sent: number;
  /** A read of the table is running. */
  isReading: boolean;
  /** Requests another read after the running one, to preserve the order. */
  shouldReadAgain: boolean;
}

/** `reload`: rows that have no event type have changed, or changes may have been missed. */
export type DeskChange = { event: 'article' | 'delivery' | 'notification'; id: string } | { event: 'reload' };

export interface Opening {
  /** The last id that a reconnecting client has received, if missed events are replayed. */
  after?: number;
  /** Additional response headers. */
  headers: OutgoingHttpHeaders;
}

/** Above it, the stream waits for its client to read. A client that does not is disconnected. */
const MAX_UNREAD_BYTES = 256 * 1024;
const RETRY_MS = { min: 1_000, max: 5_000 };
/** Well below the idle timeout of proxies, which is a minute for most of them. */
const PING_MS = 20_000;

export function beginStream(
  owner: StreamOwner,
  request: IncomingMessage,
  response: ServerResponse,
  { after, headers }: Opening,
): EventStream {
  request.socket.setTimeout(0).setNoDelay(true).setKeepAlive(true);
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream;charset=UTF-8',
    'cache-control': 'no-cache',
    connection: 'keep-alive',
    // Otherwise nginx buffers events until its buffer is full.
    'x-accel-buffering': 'no',
  });
  // The client reconnects and misses nothing.
  response.on('error', () => response.destroy());
  // Random, so that the clients of a restarted instance do not reconnect all at once.
  const retryMs = Math.round(RETRY_MS.min + Math.random() * (RETRY_MS.max - RETRY_MS.min));
  // An id without data is not an event but sets the client's Last-Event-ID. A client that is
  // disconnected before its first event therefore misses nothing.
  response.write(`${after === undefined ? '' : `id: ${after}\n`}retry: ${retryMs}\n\n`);
  // A stream is open for hours, and both contain its token.
  Object.assign(request, { url: '', headers: {}, rawHeaders: [] });
  const stream = { ...owner, response, sent: after ?? 0, isReading: false, shouldReadAgain: false };
  // Comment lines, so that proxies do not close an idle stream.
  const pings = setInterval(write, PING_MS, stream, ':\n').unref();
  response.once('close', () => clearInterval(pings));
  return stream;
}

export function writeEvent(stream: EventStream, number: number, event: NotificationEvent): void {
  // JSON contains no raw line breaks, so the data is one line.
  write(stream, `event: notification\nid: ${number}\ndata: ${JSON.stringify(event)}\n\n`);
  stream.sent = number;
}

/** `evicted`: a newer stream replaces this one. The page reconnects when its window is focused. */
export function writeDeskEvent(stream: EventStream, { event, ...data }: DeskChange | { event: 'evicted' }): void {
  write(stream, `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  // The client reads too slowly. Its page reconnects and refreshes, so no change is lost.
  if (isFull(stream)) stream.response.destroy();
}

function write(stream: EventStream, text: string): void {
  if (isWritable(stream)) stream.response.write(text);
}

/** Writing to a response after its end raises an error that ends the process. */
export function isWritable({ response }: EventStream): boolean {
  return !response.destroyed && !response.writableEnded;
}

export function isFull({ response }: EventStream): boolean {
  return response.writableLength >= MAX_UNREAD_BYTES;
}

/** Waits while the client has too much unread data. Disconnects it after `stalledMs`. */
export async function waitUntilRead(stream: EventStream, stalledMs: number): Promise<void> {
  if (!isFull(stream)) return;
  try {
    await once(stream.response, 'drain', { signal: AbortSignal.timeout(stalledMs) });
  } catch {
    // A stalled client that reconnects sends its Last-Event-ID and misses nothing.
    stream.response.destroy();
  }
}

/** Ends the stream. Disconnects a client that does not read its buffer within `stalledMs`. */
export function endStream({ response }: EventStream, stalledMs: number): void {
  response.end();
  const timer = setTimeout(() => response.destroy(), stalledMs).unref();
  response.once('close', () => clearTimeout(timer));
}
