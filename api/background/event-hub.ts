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
import { findLastNotificationNumber, type Notification } from '../../store/notifications/list.ts';
import { listEndedSessions } from '../../store/sessions/standing.ts';
import { BATCH, createNotificationReader } from './notification-reader.ts';
import { createRecentEndings } from './recent-endings.ts';
import { createStreamRegister, type StreamHolder, type StreamLimits } from './stream-limits.ts';

/** Who holds a stream, the session that it ends with, and when (`performance.now()`) the database was asked whether that is open. */
type SessionHolder = StreamHolder & { sessionId: string; askedAt: number };

export interface EventHub {
  /** Number of the user's newest notification. */
  newest(userId: string): Promise<number>;
  /** Opens a stream that begins after notification number `after`. Ends the holder's oldest one where there are too many. */
  open(holder: SessionHolder, request: IncomingMessage, response: ServerResponse, after: number): void;
  /** True, once, for the client of a stream that was ended because its holder had opened too many since. */
  refusesReturn(token: string): boolean;
  /** The user may have new notifications, up to this number. */
  wake(userId: string, number?: number): void;
  /** Any user may have, or may be suspended, and any session may have ended: the listener was disconnected for a while. */
  wakeAll(): void;
  /** Ends the streams of a user who is suspended; a client that reconnects is refused. */
  end(userId: string): void;
  /** Ends the streams of a session that has ended, also one that is about to open. */
  endSession(session: { userId: string; sessionId: string }): void;
  /** Ends every stream; clients reconnect by themselves. */
  close(): void;
  streamCount(): number;
}

/** Comment lines keep proxies from closing an idle stream. */
const PING_MS = 20_000;
/** With this much unread by a client, no more rows are fetched for it until it has caught up; one that does not is dropped. */
const UNREAD_BYTES = 256 * 1024;
const DEFAULT_STALLED_MS = 10_000;
/** Until the next attempt after a failed read from the database. */
const READ_AGAIN_MS = 2_000;
const RETRY_MS = { least: 1_000, most: 5_000 };
/** How often it is looked whose session is over without a word: it has expired, or nobody listened when it ended. */
const LOOK_EVERY_MS = 30_000;

interface Stream {
  userId: string;
  sessionId: string;
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
  limits,
  now,
  stalledMs = DEFAULT_STALLED_MS,
  lookEveryMs = LOOK_EVERY_MS,
}: {
  db: Database;
  log: FastifyBaseLogger;
  limits: StreamLimits;
  now: () => Date;
  stalledMs?: number;
  lookEveryMs?: number;
}): EventHub {
  const channels = new Map<string, Channel>();
  const register = createStreamRegister<Stream>(limits, Date.now);
  const reader = createNotificationReader(db);
  const endings = createRecentEndings();
  const looking = setInterval(() => void endOver(), lookEveryMs).unref();
  let closed = false;

  function getChannel(userId: string): Channel {
    const existing = channels.get(userId);
    if (existing) return existing;
    const sse = new SseChannel({ pingInterval: PING_MS, jsonEncode: true, historySize: 1 });
    const channel: Channel = { sse, streams: new Set() };
    channels.set(userId, channel);
    return channel;
  }

  function remove(stream: Stream): void {
    register.remove(stream);
    const channel = channels.get(stream.userId);
    // Another one, where the channel of this stream was closed as a whole.
    if (!channel?.streams.delete(stream) || channel.streams.size > 0) return;
    channels.delete(stream.userId);
    channel.sse.close();
  }

  /** Nothing is written to it from now on, and a client that does not read what is left is cut off. */
  function finish(stream: Stream): void {
    const { userId, response } = stream;
    channels.get(userId)?.sse.removeClient(response);
    remove(stream);
    response.end();
    const cut = setTimeout(() => response.destroy(), stalledMs).unref();
    response.once('close', () => clearTimeout(cut));
  }

  function wake(userId: string, number = Number.POSITIVE_INFINITY): void {
    const channel = channels.get(userId);
    for (const stream of channel?.streams ?? []) {
      if (stream.sent >= number) continue;
      stream.again = true;
      if (stream.sending || !channel) continue;
      stream.sending = true;
      void sendNew(channel.sse, stream).finally(() => {
        stream.sending = false;
      });
    }
  }

  async function sendNew(sse: SseChannel, stream: Stream): Promise<void> {
    try {
      while (stream.again && isWritable(stream)) {
        stream.again = false;
        const rows = await reader.read(stream.userId, stream.sent);
        for (const row of rows) {
          send(sse, stream, row);
          await waitUntilRead(stream.response, stalledMs);
        }
        if (rows.length === BATCH) stream.again = true;
      }
    } catch (error) {
      log.warn({ err: error }, 'notifications could not be read; trying again');
      setTimeout(() => wake(stream.userId), READ_AGAIN_MS).unref();
    }
  }

  function end(userId: string, isOver: (stream: Stream) => boolean): void {
    for (const stream of [...(channels.get(userId)?.streams ?? [])]) if (isOver(stream)) finish(stream);
  }

  /** One that fails is made up for by the next. */
  async function endOver(): Promise<void> {
    try {
      const open = [...channels.values()].flatMap(({ streams }) => [...streams]);
      const ids = [...new Set(open.map(({ sessionId }) => sessionId))];
      const over = new Set(await listEndedSessions(db, ids, now()));
      for (const stream of open) if (over.has(stream.sessionId)) finish(stream);
    } catch (error) {
      log.warn({ err: error }, 'sessions that ended could not be looked for; trying again');
    }
  }

  return {
    newest: (userId) => findLastNotificationNumber(db, userId),
    open(holder, request, response, after) {
      if (request.destroyed || response.destroyed) return;
      // An opening that was under way when the others were ended would hold up the shutdown. Its client comes back to another instance; that of a
      // session that has just ended, or of a user who was just suspended, is refused there.
      const { userId, sessionId, askedAt } = holder;
      if (closed || endings.isEndedSince(askedAt, sessionId, userId)) {
        response.setHeader('connection', 'close');
        response.end();
        return;
      }
      const stream: Stream = { userId, sessionId, response, sent: after, sending: false, again: false };
      for (const oldest of register.add(holder, stream)) finish(oldest);
      const channel = getChannel(userId);
      channel.streams.add(stream);
      response.once('close', () => remove(stream));
      // nginx would hold back what is sent until its buffer is full.
      response.setHeader('x-accel-buffering', 'no');
      channel.sse.addClient(request, response);
      // An id without data is no event, but the client's Last-Event-ID: what happens while it is cut off before its first event is not lost.
      response.write(`id: ${after}\nretry: ${chooseRetryMs()}\n\n`);
      wake(userId);
    },
    refusesReturn: register.refusesReturn,
    wake,
    wakeAll() {
      for (const userId of channels.keys()) wake(userId);
      void endOver();
    },
    end(userId) {
      endings.add(userId);
      end(userId, () => true);
    },
    endSession({ userId, sessionId }) {
      endings.add(sessionId);
      end(userId, (stream) => stream.sessionId === sessionId);
    },
    close() {
      closed = true;
      clearInterval(looking);
      for (const userId of [...channels.keys()]) end(userId, () => true);
    },
    streamCount: () => register.size,
  };
}

/** In milliseconds: clients of a restarted instance come back spread over some seconds, not all at once. */
export function chooseRetryMs(): number {
  return Math.round(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least));
}

/** What is written to a response after its end is an error that ends the process. */
function isWritable({ response }: Stream): boolean {
  return !response.destroyed && !response.writableEnded;
}

function send(sse: SseChannel, stream: Stream, row: Notification): void {
  if (!isWritable(stream)) return;
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
