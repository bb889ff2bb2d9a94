/**
 * The event stream of an author's open desk page. Events name changed rows; the page loads them.
 */
import { type EventStream, isFull, isWritable, waitUntilRead } from './event-stream.ts';

export interface DeskStream extends EventStream {
  kind: 'desk';
  /**
   * The client reads too slowly. Changes are dropped, and one `reload` is sent when the buffer
   * drains.
   */
  isBehind: boolean;
}

/** `reload`: rows without an event of their own have changed, or changes may have been missed. */
export type DeskChange = { event: 'article' | 'delivery' | 'notification'; id: string } | { event: 'reload' };

const RELOAD: DeskChange = { event: 'reload' };
const PAYLOAD = /^([0-9a-f-]{36}) (?:(article|delivery|notification) ([0-9a-f-]{36})|reload)$/;

/** Triggers notify on this channel at commit. Migration 0039 describes the payload. */
export const DESK_CHANNEL = 'courant_desk';

/** Null for a message of another program on this channel. */
export function readDeskChange(payload: string): { userId: string; change: DeskChange } | null {
  const [, userId, event, id] = PAYLOAD.exec(payload) ?? [];
  if (userId === undefined) return null;
  if (event === undefined || id === undefined) return { userId, change: RELOAD };
  return { userId, change: { event: event as 'article', id } };
}

export function writeDeskChange(stream: DeskStream, change: DeskChange, stalledMs: number): void {
  if (stream.isBehind || !isWritable(stream)) return;
  const { event, ...data } = change;
  stream.response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  if (isFull(stream)) void catchUp(stream, stalledMs);
}

async function catchUp(stream: DeskStream, stalledMs: number): Promise<void> {
  stream.isBehind = true;
  await waitUntilRead(stream, stalledMs);
  stream.isBehind = false;
  writeDeskChange(stream, RELOAD, stalledMs);
}
