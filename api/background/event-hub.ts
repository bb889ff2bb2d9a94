/**
 * The streams that are open on this instance: one channel a user, since a shared one would replay other people's history.
 * What is sent comes from the table alone; a wake-up only says that there may be more. So nothing is missed when a
 * wake-up is lost, and nothing is sent twice when it comes twice.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import SseChannel from 'sse-channel';
import type { Database } from '../../store/db/database.ts';
import { findLastNotificationNumber, listNotifications } from '../../store/notifications/list.ts';

export interface EventHub {
  /** Number of the user's newest notification. */
  newest(userId: string): Promise<number>;
  /** Opens a stream that begins behind notification number `after`. */
  open(userId: string, request: IncomingMessage, response: ServerResponse, after: number): void;
  /** The user may have new notifications. */
  wake(userId: string): void;
  /** Everybody may have: the listener was away for a while. */
  wakeAll(): void;
  /** Ends every stream; clients come back by themselves. */
  close(): void;
  streamCount(): number;
}

/** A comment line this often keeps proxies from closing an idle stream. */
const PING_MS = 20_000;
const BATCH = 50;
/** With this much waiting for a client, nothing more is read for it until it has read; if it does not, it is dropped (F18). */
const WAITING_BYTES = 256 * 1024;
const DEFAULT_STALLED_MS = 10_000;
/** After the database could not be read. */
const AGAIN_MS = 2_000;
/** F19: clients of a restarted instance come back spread over this time. */
const RETRY_MS = { least: 1_000, most: 5_000 };

interface Stream {
  response: ServerResponse;
  /** Number of the last notification that was sent. */
  sent: number;
  pumping: boolean;
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

  function channelOf(userId: string): Channel {
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
      if (stream.pumping || !channel) continue;
      stream.pumping = true;
      void pump(userId, channel.sse, stream).finally(() => {
        stream.pumping = false;
      });
    }
  }

  async function pump(userId: string, sse: SseChannel, stream: Stream): Promise<void> {
    try {
      while (stream.again && !stream.response.destroyed) {
        stream.again = false;
        const rows = await listNotifications(db, { userId, after: stream.sent, limit: BATCH });
        for (const row of rows) {
          send(sse, stream, row);
          await hasRead(stream.response, stalledMs);
        }
        if (rows.length === BATCH) stream.again = true;
      }
    } catch (error) {
      log.warn({ err: error }, 'notifications could not be read; asking again');
      setTimeout(() => wake(userId), AGAIN_MS).unref();
    }
  }

  return {
    newest: (userId) => findLastNotificationNumber(db, userId),
    open(userId, request, response, after) {
      if (request.destroyed || response.destroyed) return;
      const channel = channelOf(userId);
      const stream: Stream = { response, sent: after, pumping: false, again: false };
      channel.streams.add(stream);
      response.once('close', () => remove(userId, channel, stream));
      channel.sse.addClient(request, response);
      response.write(`retry: ${Math.round(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least))}\n\n`);
      wake(userId);
    },
    wake,
    wakeAll() {
      for (const userId of channels.keys()) wake(userId);
    },
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

/** Waits while too much waits for the client, and gives up on one that does not read. */
async function hasRead(response: ServerResponse, stalledMs: number): Promise<void> {
  if (response.writableLength < WAITING_BYTES) return;
  try {
    await once(response, 'drain', { signal: AbortSignal.timeout(stalledMs) });
  } catch {
    // Stalled or gone: it comes back with its Last-Event-ID.
    response.destroy();
  }
}
