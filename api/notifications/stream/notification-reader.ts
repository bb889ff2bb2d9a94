/**
 * Batches the reads of many streams into few queries. One event can concern 10,000 users, and a
 * query for each of them would occupy the database for seconds. Reads that arrive during a query
 * share the next.
 */
import type { Database } from '../../../store/db/database.ts';
import type { Notification } from '../../../store/notifications/event.ts';
import { listNotificationsForStreams } from '../../../store/notifications/list.ts';

export interface NotificationReader {
  /** At most `NOTIFICATION_BATCH_SIZE` notifications of a user after `after`, oldest first. */
  read(userId: string, after: number): Promise<Notification[]>;
}

/** Rows per stream and read. */
export const NOTIFICATION_BATCH_SIZE = 50;
/** Streams per query. */
const STREAMS_PER_QUERY = 500;
/** Concurrent queries. Two use the database fully and leave connections of the pool free. */
const MAX_QUERIES = 2;

interface ReadRequest {
  userId: string;
  after: number;
  resolve(rows: Notification[]): void;
  reject(error: unknown): void;
}

export function createNotificationReader(db: Database): NotificationReader {
  const waiting: ReadRequest[] = [];
  let runningQueries = 0;

  async function runQuery(requests: ReadRequest[]): Promise<void> {
    try {
      const found = await listNotificationsForStreams(db, requests, NOTIFICATION_BATCH_SIZE);
      for (const [index, { resolve }] of requests.entries()) resolve(found[index] ?? []);
    } catch (error) {
      for (const { reject } of requests) reject(error);
    } finally {
      runningQueries -= 1;
      start();
    }
  }

  function start(): void {
    while (runningQueries < MAX_QUERIES && waiting.length > 0) {
      runningQueries += 1;
      void runQuery(waiting.splice(0, STREAMS_PER_QUERY));
    }
  }

  return {
    read(userId, after) {
      return new Promise((resolve, reject) => {
        waiting.push({ userId, after, resolve, reject });
        // Deferred, so that all reads of this iteration of the event loop share one query.
        if (waiting.length === 1) setImmediate(start);
      });
    },
  };
}
