/**
 * Finds the texts that nobody has derived yet: those of an instance that stopped, of imports, and all of them after an update of the renderer.
 * Only their thread has a low priority; what the event loop and PostgreSQL do for them counts as much as a publish, and there may be hundreds of
 * thousands. So one instance looks after all of them, and they take a share of its time.
 */
import { randomUUID } from 'node:crypto';
import { listUnderived } from '../../store/articles/derived.ts';
import type { Database } from '../../store/db/database.ts';
import { returnLease, takeLease } from '../../store/leases/lease.ts';

export interface DeriveSweep {
  /** The next text; null where there is none, or another instance looks after them. `except` are left out. */
  next(except: ReadonlySet<string>): Promise<string | null>;
  /** Leaves the rest to another instance. */
  release(): Promise<void>;
}

const BATCH = 20;
/** Above what a batch takes, unless the machine has no time for it at all. */
const LEASE_MS = 120_000;
const SWEEP = 'deriving texts';
/** Of the time on the clock: a busy machine makes a text slow, and so the pause after it long. */
const SHARE = 1 / 5;
const LONGEST_REST_MS = 10_000;

export function createDeriveSweep(db: Database): DeriveSweep {
  const lease = { work: SWEEP, holder: randomUUID() };
  let batch: string[] = [];
  let isHolder = false;
  const release = async () => {
    batch = [];
    if (isHolder) await returnLease(db, lease);
    isHolder = false;
  };
  return {
    async next(except) {
      for (;;) {
        const id = batch.shift();
        if (id !== undefined) return id;
        // Listed first: mostly there is nothing, and the lease would be written to disk for it, after each publish.
        const found = await listUnderived(db, { limit: BATCH, except: [...except] });
        if (found.length > 0) {
          isHolder = await takeLease(db, lease, LEASE_MS);
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

/** Milliseconds of rest after a text. */
export function restAfter(workedMs: number): number {
  return Math.min(LONGEST_REST_MS, workedMs * (1 / SHARE - 1));
}
