/**
 * Manages the event streams of this instance. Notifications are read from the table; an
 * announcement only starts the read. Desk changes are sent as announced; a page that missed some
 * reloads.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../store/db/database.ts';
import { describeEvent, type NotificationEvent } from '../../../store/notifications/event.ts';
import { findLastNotificationNumber } from '../../../store/notifications/list.ts';
import { listEndedSessions } from '../../../store/sessions/session-status.ts';
import { type DeskChange, type DeskStream, writeDeskChange, writeEviction } from './desk-stream.ts';
import {
  beginStream,
  type EventStream,
  endStream,
  isFull,
  isWritable,
  type NotificationStream,
  type Opening,
  waitUntilRead,
  writeEvent,
} from './event-stream.ts';
import { createNotificationReader, NOTIFICATION_BATCH_SIZE } from './notification-reader.ts';
import { createRecentEndings } from './recent-endings.ts';
import { createStreamRegister, type StreamHolder, type StreamLimits } from './stream-limits.ts';
import { startPings } from './stream-pings.ts';

/** `checkedAt`: when (`performance.now()`) the query began that found the session open. */
type SessionHolder = StreamHolder & { sessionId: string; checkedAt: number };

interface NotificationOpening extends Opening {
  after: number;
}

export interface EventHub {
  /** Number of the user's newest notification. */
  newest(userId: string): Promise<number>;
  /** Opens a stream of notifications. Ends the holder's oldest stream above the limit. */
  open(holder: SessionHolder, request: IncomingMessage, response: ServerResponse, opening: NotificationOpening): void;
  /** Opens a stream of changes to the holder's desk, with the same limits. */
  openDesk(holder: SessionHolder, request: IncomingMessage, response: ServerResponse, opening: Opening): void;
  /** Sends a change to the user's open desk pages. */
  sendDeskChange(userId: string, change: DeskChange): void;
  /** True, once per eviction, for the client of an evicted stream. */
  consumeEviction(token: string): boolean;
  /** Sends new notifications up to `number`. `description` is the announced event of that number. */
  sendNewNotifications(userId: string, number?: number, event?: NotificationEvent): void;
  /** After the listener reconnects: ends streams of ended sessions, then updates all others. */
  catchUpAll(): void;
  /** Ends the streams of a suspended user, also opening ones. Reconnecting clients are rejected. */
  end(userId: string): void;
  /** Ends the streams of a session that has ended, also one that is about to open. */
  endSession(session: { userId: string; sessionId: string }): void;
  /** Ends every stream. Clients reconnect by themselves. */
  close(): void;
  streamCount(): number;
  /** Number of events written so far. */
  eventCount(): number;
}

/**
 * A browser has one session, and opens six HTTP/1.1 connections to a host. With a stream on each,
 * nothing else would load.
 */
const MAX_DESK_STREAMS_PER_SESSION = 4;
const DEFAULT_STALLED_MS = 10_000;
/** Delay after a failed read from the database. */
const READ_RETRY_MS = 2_000;
/** Interval of the check for sessions that ended without an announcement, for example by expiry. */
const SESSION_CHECK_INTERVAL_MS = 30_000;

export function createEventHub({
  db,
  log,
  limits,
  now,
  stalledMs = DEFAULT_STALLED_MS,
  sessionCheckIntervalMs = SESSION_CHECK_INTERVAL_MS,
}: {
  db: Database;
  log: FastifyBaseLogger;
  limits: StreamLimits;
  now: () => Date;
  stalledMs?: number;
  sessionCheckIntervalMs?: number;
}): EventHub {
  const register = createStreamRegister<NotificationStream | DeskStream>(limits, Date.now);
  const reader = createNotificationReader(db);
  const endings = createRecentEndings();
  const sessionCheck = setInterval(() => void endStreamsOfEndedSessions(), sessionCheckIntervalMs).unref();
  const pings = startPings();
  let isClosed = false;
  let eventsWritten = 0;

  function remove(stream: NotificationStream | DeskStream): void {
    register.remove(stream);
    pings.remove(stream);
  }

  /** Writes nothing more. A client that does not read the rest of the buffer is disconnected. */
  function finish(stream: NotificationStream | DeskStream): void {
    remove(stream);
    endStream(stream, stalledMs);
  }

  /** Ends the response and returns null if the session has ended or the API is closing. */
  function begin(
    { userId, sessionId, checkedAt }: SessionHolder,
    request: IncomingMessage,
    response: ServerResponse,
    opening: Opening,
  ): EventStream | null {
    if (request.destroyed || response.destroyed) return null;
    // A stream opened during shutdown would delay it. The client reconnects to another instance,
    // which rejects ended sessions and suspended users.
    if (isClosed || endings.isEndedSince(checkedAt, sessionId, userId)) {
      response.writeHead(200, { ...opening.headers, connection: 'close' }).end();
      return null;
    }
    return beginStream({ userId, sessionId }, request, response, opening);
  }

  function evict(stream: NotificationStream | DeskStream): void {
    if (stream.kind === 'desk') writeEviction(stream);
    finish(stream);
  }

  function add(holder: SessionHolder, stream: NotificationStream | DeskStream): void {
    register.add(holder, stream).forEach(evict);
    pings.add(stream);
    stream.response.on('close', () => remove(stream));
  }

  function write(stream: NotificationStream, number: number, event: NotificationEvent): void {
    writeEvent(stream, number, event);
    eventsWritten += 1;
  }

  function sendNewNotifications(userId: string, number = Number.POSITIVE_INFINITY, event?: NotificationEvent): void {
    for (const stream of register.ofUser(userId)) {
      if (stream.kind !== 'notifications' || stream.sent >= number) continue;
      const isNext = !stream.isReading && stream.sent === number - 1;
      if (event && isNext) write(stream, number, event);
      if (!event || !isNext || isFull(stream)) void sendNew(stream);
    }
  }

  function sendChange(stream: DeskStream, change: DeskChange): void {
    writeDeskChange(stream, change);
    eventsWritten += 1;
  }

  async function sendNew(stream: NotificationStream): Promise<void> {
    stream.shouldReadAgain = true;
    if (stream.isReading) return;
    stream.isReading = true;
    try {
      while (stream.shouldReadAgain && isWritable(stream)) {
        stream.shouldReadAgain = false;
        await waitUntilRead(stream, stalledMs);
        const rows = await reader.read(stream.userId, stream.sent);
        for (const row of rows) {
          write(stream, row.number, describeEvent(row));
          await waitUntilRead(stream, stalledMs);
        }
        if (rows.length === NOTIFICATION_BATCH_SIZE) stream.shouldReadAgain = true;
      }
    } catch (error) {
      log.warn({ err: error }, 'failed to read notifications; retrying');
      setTimeout(() => sendNewNotifications(stream.userId), READ_RETRY_MS).unref();
    } finally {
      stream.isReading = false;
    }
  }

  function end(userId: string, matches: (stream: EventStream) => boolean): void {
    for (const stream of register.ofUser(userId)) if (matches(stream)) finish(stream);
  }

  /** Ends the streams of ended sessions. A failed check is repeated after the interval. */
  async function endStreamsOfEndedSessions(): Promise<void> {
    try {
      const open = register.all();
      const ids = [...new Set(open.map(({ sessionId }) => sessionId))];
      const ended = new Set(await listEndedSessions(db, ids, now()));
      for (const stream of open) if (ended.has(stream.sessionId)) finish(stream);
    } catch (error) {
      log.warn({ err: error }, 'failed to look up ended sessions; retrying');
    }
  }

  return {
    newest: (userId) => findLastNotificationNumber(db, userId),
    open(holder, request, response, opening) {
      const eventStream = begin(holder, request, response, opening);
      if (!eventStream) return;
      const stream: NotificationStream = {
        ...eventStream,
        kind: 'notifications',
        sent: opening.after,
        isReading: false,
        shouldReadAgain: false,
      };
      add(holder, stream);
      void sendNew(stream);
    },
    openDesk(holder, request, response, opening) {
      const eventStream = begin(holder, request, response, opening);
      if (!eventStream) return;
      add(holder, { ...eventStream, kind: 'desk' });
      const { userId, sessionId } = holder;
      const ofSession = register
        .ofUser(userId)
        .filter((candidate) => candidate.kind === 'desk' && candidate.sessionId === sessionId);
      ofSession.slice(0, -MAX_DESK_STREAMS_PER_SESSION).forEach(evict);
    },
    sendDeskChange(userId, change) {
      for (const stream of register.ofUser(userId)) if (stream.kind === 'desk') sendChange(stream, change);
    },
    consumeEviction: register.consumeEviction,
    sendNewNotifications,
    catchUpAll() {
      // In this order, so that a stream of an ended session receives no later events.
      void endStreamsOfEndedSessions().then(() => {
        for (const stream of register.all()) {
          if (stream.kind === 'desk') sendChange(stream, { event: 'reload' });
          else void sendNew(stream);
        }
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
      isClosed = true;
      clearInterval(sessionCheck);
      pings.stop();
      for (const stream of register.all()) finish(stream);
    },
    streamCount: () => register.size,
    eventCount: () => eventsWritten,
  };
}
