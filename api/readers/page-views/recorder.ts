/**
 * Batches page views in memory and writes them every two seconds, which limits the load on the
 * database. They stay queued while the database is unreachable. A killed process loses the views
 * since the last write.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../store/db/database.ts';
import { isDatabaseUnavailable } from '../../../store/db/pg-errors.ts';
import { findDaySalt, toUtcDay } from '../../../store/page-views/day-salt.ts';
import { type PageView, recordPageViews } from '../../../store/page-views/record-page-views.ts';
import { hashVisitor } from './visitor.ts';

export interface SeenPageView {
  slug: string;
  address: string;
  userAgent: string;
  seconds: number;
  host: string;
}

export interface PageViewRecorder {
  /** Returns false if the queue is full. The view is then not counted. */
  add(view: SeenPageView): Promise<boolean>;
  /** Writes the queued views. */
  stop(): Promise<void>;
}

const WRITE_INTERVAL_MS = 2_000;
/** Per day, in pairs of article and reader. Reports of one pair are added up. */
const MAX_QUEUED_PER_DAY = 10_000;
/** Views per transaction. */
const BATCH_SIZE = 1_000;

type PageViewQueue = Map<string, PageView>;

export function startPageViewRecorder(deps: {
  db: Database;
  log: FastifyBaseLogger;
  now: () => Date;
}): PageViewRecorder {
  const { db, log, now } = deps;
  /** Queues by the day of the salt. Around midnight there are two days. */
  const days = new Map<string, PageViewQueue>();
  let salt: { day: string; value: Promise<Buffer> } | undefined;
  let running: Promise<void> = Promise.resolve();

  function getSalt(day: string): Promise<Buffer> {
    if (salt?.day !== day) {
      const pending = { day, value: findDaySalt(db, day) };
      pending.value.catch(() => {
        // The next view queries it again.
        if (salt === pending) salt = undefined;
      });
      salt = pending;
    }
    return salt.value;
  }

  /**
   * Reloads the salt. A crash of the database deletes it, because its table is unlogged. Views need
   * a stored salt, and another instance can have created the new one.
   */
  async function renewSalt(day: string): Promise<void> {
    const value = await findDaySalt(db, day);
    if (salt?.day === day) salt = { day, value: Promise.resolve(value) };
  }

  /** Queues a view. Returns false if the queue is full. */
  function enqueue(day: string, view: PageView): boolean {
    const queue = days.get(day) ?? new Map();
    days.set(day, queue);
    const key = `${view.slug} ${view.visitor.toString('hex')}`;
    const queued = queue.get(key);
    if (!queued && queue.size >= MAX_QUEUED_PER_DAY) return false;
    const seconds = (queued?.seconds ?? 0) + view.seconds;
    queue.set(key, { ...view, host: queued?.host ?? view.host, seconds });
    return true;
  }

  async function write(): Promise<void> {
    for (const [day, queue] of [...days]) {
      days.delete(day);
      const views = [...queue.values()];
      let writtenCount = 0;
      try {
        await renewSalt(day);
        for (; writtenCount < views.length; writtenCount += BATCH_SIZE) {
          await recordPageViews(db, {
            readings: views.slice(writtenCount, writtenCount + BATCH_SIZE),
            day,
            now: now(),
          });
        }
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        for (const view of views.slice(writtenCount)) enqueue(day, view);
        log.warn({ err: error }, 'the database is unreachable; page views are buffered until it is back');
      }
    }
  }

  function flush(): Promise<void> {
    running = running.then(write).catch((error: unknown) => {
      log.warn({ err: error }, 'failed to write page views; the most recent ones are not counted');
    });
    return running;
  }

  const timer = setInterval(() => void flush(), WRITE_INTERVAL_MS);
  timer.unref();

  return {
    async add({ slug, address, userAgent, seconds, host }) {
      const day = toUtcDay(now());
      const visitor = hashVisitor(await getSalt(day), { slug, address, userAgent });
      return enqueue(day, { slug, ...visitor, seconds, host });
    },
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
