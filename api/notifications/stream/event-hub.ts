/**
 * Manages the event streams of this instance. Notifications are read from the table; an
 * announcement only starts the read. Desk changes are sent as announced; a page that missed some
 * reloads.
 */
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import DataLoader from 'dataloader';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Database } from '../../../store/db/database.ts';
import { NOTIFICATION_CHANNEL } from '../../../store/notifications/add.ts';
import { describeEvent, type Notification, type NotificationEvent } from '../../../store/notifications/event.ts';
import { findLastNotificationNumber, listNotificationsForStreams } from '../../../store/notifications/list.ts';
import { SESSION_CHANNEL } from '../../../store/sessions/end-sessions.ts';
import { listEndedSessions } from '../../../store/sessions/session-status.ts';
import { SUSPENSION_CHANNEL } from '../../../store/users/suspensions.ts';
import {
  beginStream,
  type DeskChange,
  type EventStream,
  endStream,
  isFull,
  isWritable,
  type Opening,
  waitUntilRead,
  writeDeskEvent,
  writeEvent,
} from './event-stream.ts';
import type { ListenerAudience } from './notification-listener.ts';
import { createStreamRegister, type StreamLimits } from './stream-limits.ts';

interface SessionHolder {
  userId: string;
  sessionId: string;
  address: string;
  /** The stream token. Absent for streams of the desk. */
  token?: string;
  /** When (`performance.now()`) the query began that found the session open. */
  checkedAt: number;
}

export type EventHub = ReturnType<typeof createEventHub>;

/** Triggers notify on this channel at commit. Migration 0039 describes the payload. */
const DESK_CHANNEL = 'courant_desk';
const DESK_PAYLOAD = /^([0-9a-f-]{36}) (?:(article|delivery|notification) ([0-9a-f-]{36})|reload)$/;
/**
 * A browser has one session, and opens six HTTP/1.1 connections to a host. With a stream on each,
 * nothing else would load.
 */
const MAX_DESK_STREAMS_PER_SESSION = 4;
/** Rows per stream and read. */
const BATCH_SIZE = 50;
/**
 * One event can concern 10,000 users, and a query for each of their streams would occupy the
 * database for seconds. Two queries at once leave connections of the pool free.
 */
const STREAMS_PER_QUERY = 500;
const MAX_QUERIES = 2;
/** Delay after a failed read from the database. */
const READ_RETRY_MS = 2_000;

export function createEventHub({
  db,
  log,
  limits,
  now,
  stalledMs = 10_000,
  sessionCheckIntervalMs = 30_000,
}: {
  db: Database;
  log: FastifyBaseLogger;
  limits: StreamLimits;
  now: () => Date;
  stalledMs?: number;
  /** Interval of the check for sessions that ended without an announcement, for example by expiry. */
  sessionCheckIntervalMs?: number;
}) {
  const register = createStreamRegister<EventStream>(limits);
  const limitQueries = pLimit(MAX_QUERIES);
  const reader = new DataLoader<{ userId: string; after: number }, Notification[]>(
    (requests) => limitQueries(() => listNotificationsForStreams(db, requests, BATCH_SIZE)),
    { cache: false, maxBatchSize: STREAMS_PER_QUERY, batchScheduleFn: setImmediate },
  );
  /**
   * When sessions and suspended users ended. A stream that is being opened is not registered yet
   * when its session ends, so it checks here.
   */
  const endings = new LRUCache<string, number>({ max: 10_000 });
  const sessionCheck = setInterval(() => void endStreamsOfEndedSessions(), sessionCheckIntervalMs).unref();
  let isClosed = false;
  let eventsWritten = 0;

  /** Writes nothing more. A client that does not read the rest of the buffer is disconnected. */
  function finish(stream: EventStream): void {
    register.remove(stream);
    endStream(stream, stalledMs);
  }

  function evict(stream: EventStream): void {
    if (stream.kind === 'desk') writeDeskEvent(stream, { event: 'evicted' });
    finish(stream);
  }

  /** Ends the response and returns null if the session has ended or the API is closing. */
  function begin(
    kind: EventStream['kind'],
    { checkedAt, token, ...owner }: SessionHolder,
    ...[request, response, opening]: [IncomingMessage, ServerResponse, Opening]
  ): EventStream | null {
    if (request.destroyed || response.destroyed) return null;
    // A stream opened during shutdown would delay it. The client reconnects to another instance,
    // which rejects ended sessions and suspended users.
    const isEnded = [owner.sessionId, owner.userId].some((id) => (endings.get(id) ?? -1) >= checkedAt);
    if (isClosed || isEnded) {
      response.writeHead(200, { ...opening.headers, connection: 'close' }).end();
      return null;
    }
    const client = token === undefined ? null : hashToken(token);
    const stream = beginStream({ kind, ...owner, client }, request, response, opening);
    register.add(stream).forEach(evict);
    response.on('close', () => register.remove(stream));
    return stream;
  }

  function write(stream: EventStream, number: number, event: NotificationEvent): void {
    writeEvent(stream, number, event);
    eventsWritten += 1;
  }

  function writeChange(stream: EventStream, change: DeskChange): void {
    writeDeskEvent(stream, change);
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

  async function sendNew(stream: EventStream): Promise<void> {
    stream.shouldReadAgain = true;
    if (stream.isReading) return;
    stream.isReading = true;
    try {
      while (stream.shouldReadAgain && isWritable(stream)) {
        stream.shouldReadAgain = false;
        await waitUntilRead(stream, stalledMs);
        const rows = await reader.load({ userId: stream.userId, after: stream.sent });
        for (const row of rows) {
          write(stream, row.number, describeEvent(row));
          await waitUntilRead(stream, stalledMs);
        }
        if (rows.length === BATCH_SIZE) stream.shouldReadAgain = true;
      }
    } catch (error) {
      log.warn({ err: error }, 'failed to read notifications; retrying');
      setTimeout(() => sendNewNotifications(stream.userId), READ_RETRY_MS).unref();
    } finally {
      stream.isReading = false;
    }
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
    newest: (userId: string) => findLastNotificationNumber(db, userId),
    /** Opens a stream of notifications. Ends the holder's oldest stream above the limit. */
    open(holder: SessionHolder, request: IncomingMessage, response: ServerResponse, opening: Opening): void {
      const stream = begin('notifications', holder, request, response, opening);
      if (stream) void sendNew(stream);
    },
    /** Opens a stream of changes to the holder's desk, with the same limits. */
    openDesk(holder: SessionHolder, request: IncomingMessage, response: ServerResponse, opening: Opening): void {
      if (!begin('desk', holder, request, response, opening)) return;
      const ofSession = register
        .ofUser(holder.userId)
        .filter(({ kind, sessionId }) => kind === 'desk' && sessionId === holder.sessionId);
      ofSession.slice(0, -MAX_DESK_STREAMS_PER_SESSION).forEach(evict);
    },
    /** Sends a change to the user's open desk pages. */
    sendDeskChange(userId: string, change: DeskChange): void {
      for (const stream of register.ofUser(userId)) if (stream.kind === 'desk') writeChange(stream, change);
    },
    /** True, once, for the client of an evicted stream. */
    consumeEviction: (token: string) => register.consumeEviction(hashToken(token)),
    /** Sends new notifications up to `number`. `event` is the announced event of that number. */
    sendNewNotifications,
    /** After the listener reconnects: ends streams of ended sessions, then updates all others. */
    catchUpAll(): void {
      // In this order, so that a stream of an ended session receives no later events.
      void endStreamsOfEndedSessions().then(() => {
        for (const stream of register.all()) {
          if (stream.kind === 'desk') writeChange(stream, { event: 'reload' });
          else void sendNew(stream);
        }
      });
    },
    /** Ends the streams of a suspended user, also opening ones. Reconnecting clients are rejected. */
    end(userId: string): void {
      endings.set(userId, performance.now());
      for (const stream of register.ofUser(userId)) finish(stream);
    },
    /** Ends the streams of a session that has ended, also one that is about to open. */
    endSession({ userId, sessionId }: { userId: string; sessionId: string }): void {
      endings.set(sessionId, performance.now());
      for (const stream of register.ofUser(userId)) if (stream.sessionId === sessionId) finish(stream);
    },
    /** Ends every stream. Clients reconnect by themselves. */
    close(): void {
      isClosed = true;
      clearInterval(sessionCheck);
      for (const stream of register.all()) finish(stream);
    },
    streamCount: register.count,
    /** Number of events written so far. */
    eventCount: () => eventsWritten,
  };
}

/** After a reconnect, notification streams read the table and desk pages reload. */
export function createHubAudience(hub: EventHub): ListenerAudience {
  return {
    channels: {
      [SUSPENSION_CHANNEL]: (userId) => hub.end(userId),
      [SESSION_CHANNEL]: (payload) => hub.endSession(JSON.parse(payload)),
      [NOTIFICATION_CHANNEL](payload) {
        const { userId, number, event } = JSON.parse(payload);
        hub.sendNewNotifications(userId, number, event);
      },
      [DESK_CHANNEL](payload) {
        const [, userId = '', event, id] = DESK_PAYLOAD.exec(payload) ?? [];
        hub.sendDeskChange(userId, id === undefined ? { event: 'reload' } : ({ event, id } as DeskChange));
      },
    },
    onListening: () => hub.catchUpAll(),
  };
}

/** Hashed, because a token is secret and ten times as long, and a stream is open for hours. */
function hashToken(token: string): string {
  return hash('sha256', token, 'base64url');
}
