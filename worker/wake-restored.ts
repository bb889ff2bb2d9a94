/**
 * After a restore, running workflows may wait hours for rate slots that no longer exist. Signals
 * each one to read its row again. Every worker start within an hour repeats it, in case Temporal
 * was down.
 */
import pLimit from 'p-limit';
import type { Database } from '../store/db/database.ts';
import { hasRestoreEndedSince, listRestoredDeliveries } from '../store/restores/restore.ts';
import { signalRunning, type WorkflowTarget } from '../temporal/signals.ts';

const RECENT_RESTORE_MS = 60 * 60_000;
const CONCURRENCY = 20;

/** Returns the number of signalled workflows. */
export async function wakeRestored(db: Database, temporal: WorkflowTarget, now: Date): Promise<number> {
  if (!(await hasRestoreEndedSince(db, new Date(now.getTime() - RECENT_RESTORE_MS)))) return 0;
  const deliveries = await listRestoredDeliveries(db, now);
  const limit = pLimit(CONCURRENCY);
  const signalled = await Promise.all(
    deliveries.map(({ articleId, destination }) => limit(() => signalRunning(temporal, { articleId, destination }))),
  );
  return signalled.filter(Boolean).length;
}
