/**
 * Finds texts that are not derived yet: after a stop, an import, or an update of the renderer.
 * There may be hundreds of thousands, and only their thread has a low priority, not the event loop
 * and PostgreSQL. So one instance derives them all, in a share of its time.
 */
import { randomUUID } from 'node:crypto';
import { listUnderived } from '../../store/articles/derived.ts';
import type { Database } from '../../store/db/database.ts';
import { acquireLease, releaseLease } from '../../store/leases/lease.ts';

export interface DeriveSweep {
  /**
   * Returns the next text outside `excludedIds`; null if none remain or another instance has the lease.
   */
  next(except: ReadonlySet<string>): Promise<string | null>;
  /** Lets another instance continue. */
  release(): Promise<void>;
}

const BATCH = 20;
/** Longer than a batch takes, unless the machine is fully loaded. */
const LEASE_MS = 120_000;
const SWEEP = 'deriving texts';
/**
 * Share of wall-clock time: on a busy machine a text takes longer, and so does the pause after it.
 */
const SHARE = 1 / 5;
const MAX_REST_MS = 10_000;

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

/** Milliseconds to pause after a text. */
export function computeRestMs(workedMs: number): number {
  return Math.min(MAX_REST_MS, workedMs * (1 / SHARE - 1));
}
