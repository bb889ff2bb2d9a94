/** One open event stream: how it begins, what is written to it, and what keeps it open. */
import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { NotificationEvent } from '../../../store/notifications/event.ts';

export interface EventStream {
  userId: string;
  sessionId: string;
  response: ServerResponse;
}

/** A stream of the notification interface. */
export interface NotificationStream extends EventStream {
  kind: 'notifications';
  /** Number of the last notification that was sent. */
  sent: number;
  /** The table is being read for it: what happens meanwhile is read too, so that the order stays. */
  reading: boolean;
  again: boolean;
}

export interface Opening {
  /** The last id that a reconnecting client has received, if missed events are replayed. */
  after?: number;
  /** Additional response headers. */
  headers: OutgoingHttpHeaders;
}

/** With this much unread by a client, no more rows are fetched for it until it has caught up; one that does not is dropped. */
const UNREAD_BYTES = 256 * 1024;
const RETRY_MS = { least: 1_000, most: 5_000 };

export function beginStream(
  { userId, sessionId }: { userId: string; sessionId: string },
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
    // nginx would hold back what is sent until its buffer is full.
    'x-accel-buffering': 'no',
  });
  forgetRequest(request, response);
  // An id without data is no event, but the client's Last-Event-ID: what happens while it is cut off before its first event is not lost.
  response.write(`${after === undefined ? '' : `id: ${after}\n`}retry: ${chooseRetryMs()}\n\n`);
  return { userId, sessionId, response };
}

/** Node keeps a request until its response ends, and the framework all that it made of it. Here that would be for hours, with the token in the address. */
function forgetRequest(request: IncomingMessage, response: ServerResponse): void {
  request.url = '';
  request.headers = {};
  request.rawHeaders = [];
  // The framework's own, which hold its request, its reply and its logger; it answers nothing here any more.
  for (const listener of response.listeners('error') as ((error: Error) => void)[]) {
    response.off('finish', listener).off('error', listener);
  }
  response.on('error', destroy);
}

/** The client comes back and misses nothing. */
function destroy(this: ServerResponse): void {
  this.destroy();
}

/** In milliseconds: clients of a restarted instance come back spread over some seconds, not all at once. */
export function chooseRetryMs(): number {
  return Math.round(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least));
}

export function writeEvent(stream: NotificationStream, number: number, event: NotificationEvent): void {
  if (!isWritable(stream)) return;
  // JSON has no line breaks of its own, so that the data is one line.
  stream.response.write(`event: notification\nid: ${number}\ndata: ${JSON.stringify(event)}\n\n`);
  stream.sent = number;
}

/** A comment line: it keeps proxies from closing an idle stream. */
export function ping(stream: EventStream): void {
  if (isWritable(stream)) stream.response.write(':\n');
}

/** What is written to a response after its end is an error that ends the process. */
export function isWritable({ response }: EventStream): boolean {
  return !response.destroyed && !response.writableEnded;
}

export function isFull({ response }: EventStream): boolean {
  return response.writableLength >= UNREAD_BYTES;
}

/** Waits while the client has too much unread, and drops one that does not read. */
export async function waitUntilRead(stream: EventStream, stalledMs: number): Promise<void> {
  if (!isFull(stream)) return;
  try {
    await once(stream.response, 'drain', { signal: AbortSignal.timeout(stalledMs) });
  } catch {
    // A stalled client that reconnects sends its Last-Event-ID and misses nothing.
    stream.response.destroy();
  }
}

/** Lets the client read what is left, and cuts off one that does not. */
export function endStream({ response }: EventStream, stalledMs: number): void {
  response.end();
  const cut = setTimeout(() => response.destroy(), stalledMs).unref();
  response.once('close', () => clearTimeout(cut));
}
