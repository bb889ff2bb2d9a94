/**
 * Batches page views in memory and writes them every two seconds, which limits the load on the
 * database. They stay queued while the database is unreachable. A killed process loses the views
 * since the last write.
 */
import { createHmac } from 'node:crypto';
import { isDatabaseUnavailable } from '../../../store/db/pg-errors.ts';
import { findDaySalt, toUtcDay } from '../../../store/page-views/day-salt.ts';
import { type PageView, recordPageViews } from '../../../store/page-views/record-page-views.ts';
import type { ApiDeps } from '../../deps.ts';
import { toNetwork } from '../../plugins/network.ts';

interface SeenPageView {
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
/** In pairs of article and reader. Reports of one pair are added up. */
const MAX_QUEUED = 10_000;
/** Views per transaction. */
const BATCH_SIZE = 1_000;

interface QueuedView extends PageView {
  /** The day of the salt. Around midnight there are two days. */
  day: string;
}

export function startPageViewRecorder({ db, log, now }: Pick<ApiDeps, 'db' | 'log' | 'now'>): PageViewRecorder {
  let queue = new Map<string, QueuedView>();
  let salt: { day: string; value: Buffer } | undefined;
  let running: Promise<void> = Promise.resolve();

  async function loadSalt(day: string): Promise<Buffer> {
    salt = { day, value: await findDaySalt(db, day) };
    return salt.value;
  }

  /** Queues a view. Returns false if the queue is full. */
  function enqueue(view: QueuedView): boolean {
    const key = `${view.day} ${view.slug} ${view.visitor.toString('hex')}`;
    const queued = queue.get(key);
    if (!queued && queue.size >= MAX_QUEUED) return false;
    queue.set(key, { ...view, host: queued?.host ?? view.host, seconds: (queued?.seconds ?? 0) + view.seconds });
    return true;
  }

  async function write(): Promise<void> {
    const byDay = Map.groupBy(queue.values(), ({ day }) => day);
    queue = new Map();
    for (const [day, views] of byDay) {
      let writtenCount = 0;
      try {
        // A crash of the database deletes the salt, because its table is unlogged. Views need a
        // stored salt, and another instance can have created the new one.
        await loadSalt(day);
        for (; writtenCount < views.length; writtenCount += BATCH_SIZE) {
          const readings = views.slice(writtenCount, writtenCount + BATCH_SIZE);
          await recordPageViews(db, { readings, day, now: now() });
        }
      } catch (error) {
        const isBuffered = isDatabaseUnavailable(error);
        if (isBuffered) views.slice(writtenCount).forEach(enqueue);
        const message = isBuffered
          ? 'the database is unreachable; page views are buffered until it is back'
          : 'failed to write page views; the most recent ones are not counted';
        log.warn({ err: error }, message);
      }
    }
  }

  function flush(): Promise<void> {
    running = running.then(write);
    return running;
  }

  const timer = setInterval(() => void flush(), WRITE_INTERVAL_MS);
  timer.unref();

  return {
    async add({ slug, address, userAgent, seconds, host }) {
      const day = toUtcDay(now());
      const currentSalt = salt?.day === day ? salt.value : await loadSalt(day);
      const network = toNetwork(address);
      const hashes = {
        network: hash(currentSalt, [slug, network]),
        visitor: hash(currentSalt, [slug, network, userAgent]),
      };
      return enqueue({ day, slug, ...hashes, seconds, host });
    },
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}

const HASH_BYTES = 16;

/**
 * Network and browser count a reader once a day. The hash also contains the article, so that the
 * page views of a person cannot be linked across articles.
 */
function hash(salt: Buffer, parts: string[]): Buffer {
  return createHmac('sha256', salt).update(JSON.stringify(parts)).digest().subarray(0, HASH_BYTES);
}
