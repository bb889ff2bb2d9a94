/**
 * The event stream of an author's open desk page. Events name changed rows; the page loads them, so
 * nothing is replayed.
 */
import { type EventStream, isFull, isWritable } from './event-stream.ts';

export interface DeskStream extends EventStream {
  kind: 'desk';
}

/** `reload`: rows that have no event type have changed, or changes may have been missed. */
export type DeskChange = { event: 'article' | 'delivery' | 'notification'; id: string } | { event: 'reload' };

const PAYLOAD = /^([0-9a-f-]{36}) (?:(article|delivery|notification) ([0-9a-f-]{36})|reload)$/;

/** Triggers notify on this channel at commit. Migration 0039 describes the payload. */
export const DESK_CHANNEL = 'courant_desk';

/** Null for a message of another program on this channel. */
export function readDeskChange(payload: string): { userId: string; change: DeskChange } | null {
  const [, userId, event, id] = PAYLOAD.exec(payload) ?? [];
  if (userId === undefined) return null;
  if (event === undefined || id === undefined) return { userId, change: { event: 'reload' } };
  return { userId, change: { event: event as 'article', id } };
}

export function writeDeskChange(stream: DeskStream, { event, ...data }: DeskChange): void {
  writeDeskEvent(stream, event, data);
  // The client reads too slowly. Its page reconnects and refreshes, so no change is lost.
  if (isFull(stream)) stream.response.destroy();
}

/** Sent when a newer stream replaces this one. The page reconnects when its window is focused. */
export function writeEviction(stream: DeskStream): void {
  writeDeskEvent(stream, 'evicted', {});
}

function writeDeskEvent(stream: DeskStream, event: string, data: object): void {
  if (isWritable(stream)) stream.response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}
