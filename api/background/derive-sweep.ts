/**
 * Finds articles that are not derived yet: after a stop, an import, or an update of the renderer.
 * There may be hundreds of thousands. Their thread has a low priority, but the event loop and
 * PostgreSQL do not, so one instance derives them all and pauses after each one.
 */
import { randomUUID } from 'node:crypto';
import { listUnderived } from '../../store/articles/derived.ts';
import type { Database } from '../../store/db/database.ts';
import { acquireLease, releaseLease } from '../../store/leases/lease.ts';

export interface DeriveSweep {
  /**
   * Returns the id of the next article that is not in `except`; null if none remains or another
   * instance has the lease.
   */
  next(except: ReadonlySet<string>): Promise<string | null>;
  /** Lets another instance continue. */
  release(): Promise<void>;
}

const BATCH = 20;
/** Longer than a batch takes, unless the machine is fully loaded. */
const LEASE_MS = 120_000;
/** Name of the lease. */
export const SWEEP = 'deriving texts';
/**
 * Share of wall-clock time spent deriving: on a busy machine an article takes longer, and so does
 * the pause after it.
 */
const TIME_SHARE = 1 / 5;
const MAX_PAUSE_MS = 10_000;

export function createDeriveSweep(db: Database): DeriveSweep {
  const lease = { work: SWEEP, holder: randomUUID() };
  let batch: string[] = [];
  let isHolder = false;
  const release = async () => {
    batch = [];
    if (isHolder) await releaseLease(db, lease);
    isHolder = false;
  };
  return {
    async next(except) {
      for (;;) {
        const id = batch.shift();
        if (id !== undefined) return id;
        // Listed before the lease is taken: usually there is nothing, and after each publish the
        // lease would cost a disk write.
        const found = await listUnderived(db, { limit: BATCH, except: [...except] });
        if (found.length > 0) {
          isHolder = await acquireLease(db, lease, LEASE_MS);
          if (!isHolder) return null;
          batch = found;
          continue;
        }
        await release();
        return null;
      }
    },
    release,
  };
}

/** Milliseconds to pause after an article that took `workedMs`. */
export function computeRestMs(workedMs: number): number {
  return Math.min(MAX_PAUSE_MS, workedMs * (1 / TIME_SHARE - 1));
}
