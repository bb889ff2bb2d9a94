/**
 * Reads notifications for many streams with few queries. An event may concern ten thousand users at once, and a query for each of them would
 * keep the database busy for seconds. So what is asked for while queries are under way is asked for together with the next.
 */
import type { Database } from '../../../store/db/database.ts';
import type { Notification } from '../../../store/notifications/event.ts';
import { listNotificationsOfMany } from '../../../store/notifications/list.ts';

export interface NotificationReader {
  /** The notifications of a user after number `after`, oldest first, at most `BATCH`. */
  read(userId: string, after: number): Promise<Notification[]>;
}

/** Rows for one stream in one read. */
export const BATCH = 50;
/** Streams in one query. */
const STREAMS = 500;
/** Queries at once: two keep the database busy, and the pool's other connections free. */
const QUERIES = 2;

interface Question {
  userId: string;
  after: number;
  resolve(rows: Notification[]): void;
  reject(error: unknown): void;
}

export function createNotificationReader(db: Database): NotificationReader {
  const waiting: Question[] = [];
  let underWay = 0;

  async function answer(questions: Question[]): Promise<void> {
    try {
      const found = await listNotificationsOfMany(db, questions, BATCH);
      for (const [index, { resolve }] of questions.entries()) resolve(found[index] ?? []);
    } catch (error) {
      for (const { reject } of questions) reject(error);
    } finally {
      underWay -= 1;
      start();
    }
  }

  function start(): void {
    while (underWay < QUERIES && waiting.length > 0) {
      underWay += 1;
      void answer(waiting.splice(0, STREAMS));
    }
  }

  return {
    read(userId, after) {
      return new Promise((resolve, reject) => {
        waiting.push({ userId, after, resolve, reject });
        // Not at once: what else this turn of the event loop asks for joins the same query.
        if (waiting.length === 1) setImmediate(start);
      });
    },
  };
}
