/**
 * Gathers the readings that arrive within a moment and writes them together, so that their number costs the database little. While the database is
 * unreachable they wait. What was gathered and not written when a process is killed is lost: two seconds of a count.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../store/db/database.ts';
import { isDatabaseUnavailable } from '../../../store/db/pg-errors.ts';
import { findDaySalt, toUtcDay } from '../../../store/readings/day-salt.ts';
import { type Reading, recordReadings } from '../../../store/readings/record-readings.ts';
import { hashVisitor } from './visitor.ts';

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
      const asked = { day, value: findDaySalt(db, day) };
      asked.value.catch(() => {
        // The next reading asks again.
        if (salt === asked) salt = undefined;
      });
      salt = asked;
    }
    return salt.value;
  }

  /** A database that crashed has forgotten it, takes no reading of a day without one, and another instance may have been first to make a new one. */
  async function renewSalt(day: string): Promise<void> {
    const value = await findDaySalt(db, day);
    if (salt?.day === day) salt = { day, value: Promise.resolve(value) };
  }

  /** False where too many wait already. */
  function gather(day: string, reading: Reading): boolean {
    const waiting = days.get(day) ?? new Map();
    days.set(day, waiting);
    const key = `${reading.slug} ${reading.visitor.toString('hex')}`;
    const before = waiting.get(key);
    if (!before && waiting.size >= MOST_WAITING) return false;
    const seconds = (before?.seconds ?? 0) + reading.seconds;
    waiting.set(key, { ...reading, host: before?.host ?? reading.host, seconds });
    return true;
  }

  async function write(): Promise<void> {
    for (const [day, waiting] of [...days]) {
      days.delete(day);
      const readings = [...waiting.values()];
      let written = 0;
      try {
        await renewSalt(day);
        for (; written < readings.length; written += BATCH) {
          await recordReadings(db, { readings: readings.slice(written, written + BATCH), day, now: now() });
        }
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        for (const reading of readings.slice(written)) gather(day, reading);
        log.warn({ err: error }, 'the database is unreachable; readings wait until it is there');
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
      return gather(day, { slug, ...visitor, seconds, host });
    },
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
