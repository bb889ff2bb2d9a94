/**
 * The event streams that are open on this instance: one channel per user, because a shared one would replay other people's history.
 * Everything sent is read from the table; a wake-up only says that there may be more. So a lost wake-up loses no notification,
 * and a repeated one sends none twice.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import SseChannel from 'sse-channel';
import type { Database } from '../../store/db/database.ts';
import { findLastNotificationNumber, listNotifications } from '../../store/notifications/list.ts';
import { listSuspended } from '../../store/users/suspensions.ts';

export interface EventHub {
  /** Number of the user's newest notification. */
  newest(userId: string): Promise<number>;
  /** Opens a stream that begins after notification number `after`. */
  open(userId: string, request: IncomingMessage, response: ServerResponse, after: number): void;
  /** The user may have new notifications. */
  wake(userId: string): void;
  /** Any user may have, or may be suspended: the listener was disconnected for a while. */
  wakeAll(): void;
  /** Ends the streams of a user who is suspended; a client that reconnects is refused. */
  end(userId: string): void;
  /** Ends every stream; clients reconnect by themselves. */
  close(): void;
  streamCount(): number;
}

/** Comment lines keep proxies from closing an idle stream. */
const PING_MS = 20_000;
const BATCH = 50;
/** With this much unread by a client, no more rows are fetched for it until it has caught up; one that does not is dropped. */
const UNREAD_BYTES = 256 * 1024;
const DEFAULT_STALLED_MS = 10_000;
/** Until the next attempt after a failed read from the database. */
const READ_AGAIN_MS = 2_000;
/** Clients of a restarted instance reconnect spread over this time, not all at once. */
const RETRY_MS = { least: 1_000, most: 5_000 };

interface Stream {
  response: ServerResponse;
  /** Number of the last notification that was sent. */
  sent: number;
  sending: boolean;
  again: boolean;
}

interface Channel {
  sse: SseChannel;
  streams: Set<Stream>;
}

export function createEventHub({
  db,
  log,
  stalledMs = DEFAULT_STALLED_MS,
}: {
  db: Database;
  log: FastifyBaseLogger;
  stalledMs?: number;
}): EventHub {
  const channels = new Map<string, Channel>();

  function getChannel(userId: string): Channel {
    const existing = channels.get(userId);
    if (existing) return existing;
    const sse = new SseChannel({ pingInterval: PING_MS, jsonEncode: true, historySize: 1 });
    const channel: Channel = { sse, streams: new Set() };
    channels.set(userId, channel);
    return channel;
  }

  function remove(userId: string, channel: Channel, stream: Stream): void {
    channel.streams.delete(stream);
    if (channel.streams.size > 0 || channels.get(userId) !== channel) return;
    channels.delete(userId);
    channel.sse.close();
  }

  function wake(userId: string): void {
    const channel = channels.get(userId);
    for (const stream of channel?.streams ?? []) {
      stream.again = true;
      if (stream.sending || !channel) continue;
      stream.sending = true;
      void sendNew(userId, channel.sse, stream).finally(() => {
        stream.sending = false;
      });
    }
  }

  async function sendNew(userId: string, sse: SseChannel, stream: Stream): Promise<void> {
    try {
      while (stream.again && !stream.response.destroyed) {
        stream.again = false;
        const rows = await listNotifications(db, { userId, after: stream.sent, limit: BATCH });
        for (const row of rows) {
          send(sse, stream, row);
          await waitUntilRead(stream.response, stalledMs);
        }
        if (rows.length === BATCH) stream.again = true;
      }
    } catch (error) {
      log.warn({ err: error }, 'notifications could not be read; trying again');
      setTimeout(() => wake(userId), READ_AGAIN_MS).unref();
    }
  }

  function end(userId: string): void {
    channels.get(userId)?.sse.close();
    channels.delete(userId);
  }

  async function endSuspended(): Promise<void> {
    try {
      for (const userId of await listSuspended(db, [...channels.keys()])) end(userId);
    } catch (error) {
      log.warn({ err: error }, 'suspended users could not be looked for; trying again');
      setTimeout(() => void endSuspended(), READ_AGAIN_MS).unref();
    }
  }

  return {
    newest: (userId) => findLastNotificationNumber(db, userId),
    open(userId, request, response, after) {
      if (request.destroyed || response.destroyed) return;
      const channel = getChannel(userId);
      const stream: Stream = { response, sent: after, sending: false, again: false };
      channel.streams.add(stream);
      response.once('close', () => remove(userId, channel, stream));
      channel.sse.addClient(request, response);
      const retryMs = Math.round(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least));
      // An id without data is no event, but the client's Last-Event-ID: what happens while it is cut off before its first event is not lost.
      response.write(`id: ${after}\nretry: ${retryMs}\n\n`);
      wake(userId);
    },
    wake,
    wakeAll() {
      for (const userId of channels.keys()) wake(userId);
      void endSuspended();
    },
    end,
    close() {
      for (const channel of channels.values()) channel.sse.close();
      channels.clear();
    },
    streamCount() {
      return [...channels.values()].reduce((sum, channel) => sum + channel.streams.size, 0);
    },
  };
}

type Row = Awaited<ReturnType<typeof listNotifications>>[number];

function send(sse: SseChannel, stream: Stream, row: Row): void {
  if (stream.response.destroyed) return;
  const data = { id: row.id, type: row.type, ...row.payload, createdAt: row.createdAt.toISOString() };
  sse.send({ id: row.number, event: 'notification', data }, [stream.response]);
  stream.sent = row.number;
}

/** Waits while the client has too much unread, and drops one that does not read. */
async function waitUntilRead(response: ServerResponse, stalledMs: number): Promise<void> {
  if (response.writableLength < UNREAD_BYTES) return;
  try {
    await once(response, 'drain', { signal: AbortSignal.timeout(stalledMs) });
  } catch {
    // A stalled client that reconnects sends its Last-Event-ID and misses nothing.
    response.destroy();
  }
}
