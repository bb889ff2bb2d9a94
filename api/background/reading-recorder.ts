/**
 * Gathers the readings that arrive within a moment and writes them together, so that their number costs the database little. What was gathered
 * and not written when a process is killed is lost: two seconds of a count.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../store/db/database.ts';
import { findDaySalt, toUtcDay } from '../../store/readings/day-salt.ts';
import { type Reading, recordReadings } from '../../store/readings/record-readings.ts';
import { hashVisitor } from '../readings/visitor.ts';

export interface SeenReading {
  slug: string;
  address: string;
  userAgent: string;
  seconds: number;
  host: string;
}

export interface ReadingRecorder {
  /** False where too many wait to be written: nothing was counted. */
  add(reading: SeenReading): Promise<boolean>;
  /** Writes what was gathered. */
  stop(): Promise<void>;
}

const GATHER_MS = 2_000;
/** Readers, not reports: of one, reports add up. */
const MOST_WAITING = 10_000;
/** In one transaction. */
const BATCH = 1_000;

type Waiting = Map<string, Reading>;

export function startReadingRecorder(deps: { db: Database; log: FastifyBaseLogger; now: () => Date }): ReadingRecorder {
  const { db, log, now } = deps;
  /** By the day of their salt: around midnight there are two. */
  const days = new Map<string, Waiting>();
  let salt: { day: string; value: Promise<Buffer> } | undefined;
  let running: Promise<void> = Promise.resolve();

  function getSalt(day: string): Promise<Buffer> {
    if (salt?.day !== day) {
      const value = findDaySalt(db, day);
      // The next reading asks again.
      value.catch(() => {
        salt = undefined;
      });
      salt = { day, value };
    }
    return salt.value;
  }

  async function write(): Promise<void> {
    for (const [day, waiting] of days) {
      days.delete(day);
      const readings = [...waiting.values()];
      for (let start = 0; start < readings.length; start += BATCH) {
        await recordReadings(db, { readings: readings.slice(start, start + BATCH), day, now: now() });
      }
    }
  }

  function flush(): Promise<void> {
    running = running.then(write).catch((error: unknown) => {
      log.warn({ err: error }, 'readings could not be written; those of the last moments are not counted');
    });
    return running;
  }

  const timer = setInterval(() => void flush(), GATHER_MS);
  timer.unref();

  return {
    async add({ slug, address, userAgent, seconds, host }) {
      const day = toUtcDay(now());
      const visitor = hashVisitor(await getSalt(day), { slug, address, userAgent });
      const waiting = days.get(day) ?? new Map();
      days.set(day, waiting);
      const key = `${slug} ${visitor.visitor.toString('hex')}`;
      const before = waiting.get(key);
      if (!before && waiting.size >= MOST_WAITING) return false;
      waiting.set(key, { slug, ...visitor, host: before?.host ?? host, seconds: (before?.seconds ?? 0) + seconds });
      return true;
    },
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
