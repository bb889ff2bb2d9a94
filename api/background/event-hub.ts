/**
 * The event streams that are open on this instance. What is sent is read from the table; an announcement says that there may be more, and saves
 * the reading where it has the very next notification of a stream. So a lost announcement loses no notification, and a repeated one sends none twice.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../store/db/database.ts';
import { describeEvent, type NotificationEvent } from '../../store/notifications/event.ts';
import { findLastNotificationNumber } from '../../store/notifications/list.ts';
import { listEndedSessions } from '../../store/sessions/standing.ts';
import {
  beginStream,
  type EventStream,
  endStream,
  isFull,
  isWritable,
  waitUntilRead,
  writeEvent,
} from './event-stream.ts';
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
  /** The user may have new notifications, up to this number, whose event may come along. */
  wake(userId: string, number?: number, event?: NotificationEvent): void;
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

const DEFAULT_STALLED_MS = 10_000;
/** Until the next attempt after a failed read from the database. */
const READ_AGAIN_MS = 2_000;
/** How often it is looked whose session is over without a word: it has expired, or nobody listened when it ended. */
const LOOK_EVERY_MS = 30_000;

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
  const streams = new Map<string, Set<EventStream>>();
  const register = createStreamRegister<EventStream>(limits, Date.now);
  const reader = createNotificationReader(db);
  const endings = createRecentEndings();
  const looking = setInterval(() => void endOver(), lookEveryMs).unref();
  let closed = false;

  function remove(stream: EventStream): void {
    register.remove(stream);
    const others = streams.get(stream.userId);
    others?.delete(stream);
    if (others?.size === 0) streams.delete(stream.userId);
  }

  /** Nothing is written to it from now on, and a client that does not read what is left is cut off. */
  function finish(stream: EventStream): void {
    remove(stream);
    endStream(stream, stalledMs);
  }

  function wake(userId: string, number = Number.POSITIVE_INFINITY, event?: NotificationEvent): void {
    for (const stream of streams.get(userId) ?? []) {
      if (stream.sent >= number) continue;
      const isNext = !stream.reading && stream.sent === number - 1;
      if (event && isNext) writeEvent(stream, number, event);
      if (!event || !isNext || isFull(stream)) void sendNew(stream);
    }
  }

  async function sendNew(stream: EventStream): Promise<void> {
    stream.again = true;
    if (stream.reading) return;
    stream.reading = true;
    try {
      while (stream.again && isWritable(stream)) {
        stream.again = false;
        await waitUntilRead(stream, stalledMs);
        const rows = await reader.read(stream.userId, stream.sent);
        for (const row of rows) {
          writeEvent(stream, row.number, describeEvent(row));
          await waitUntilRead(stream, stalledMs);
        }
        if (rows.length === BATCH) stream.again = true;
      }
    } catch (error) {
      log.warn({ err: error }, 'notifications could not be read; trying again');
      setTimeout(() => wake(stream.userId), READ_AGAIN_MS).unref();
    } finally {
      stream.reading = false;
    }
  }

  function end(userId: string, isOver: (stream: EventStream) => boolean): void {
    for (const stream of [...(streams.get(userId) ?? [])]) if (isOver(stream)) finish(stream);
  }

  /** One that fails is made up for by the next. */
  async function endOver(): Promise<void> {
    try {
      const open = [...streams.values()].flatMap((ofUser) => [...ofUser]);
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
      const stream = beginStream({ userId, sessionId, after }, request, response);
      for (const oldest of register.add(holder, stream)) finish(oldest);
      const ofUser = streams.get(userId);
      if (ofUser) ofUser.add(stream);
      else streams.set(userId, new Set([stream]));
      response.once('close', () => remove(stream));
      void sendNew(stream);
    },
    refusesReturn: register.refusesReturn,
    wake,
    wakeAll() {
      // In this order: a session that ended meanwhile is sent nothing that came after.
      void endOver().then(() => {
        for (const userId of streams.keys()) wake(userId);
      });
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
      for (const userId of [...streams.keys()]) end(userId, () => true);
    },
    streamCount: () => register.size,
  };
}
