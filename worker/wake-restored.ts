/**
 * After a restore: workflows that went on in Temporal wait for slots that are gone, some of them for hours. Each that runs receives a
 * command and looks at its row. Done at the start of every worker for an hour, so that it does not matter when Temporal was up.
 */
import pLimit from 'p-limit';
import type { Database } from '../store/db/database.ts';
import { hasRestoreEndedSince, listRestoredDeliveries } from '../store/restores/restore.ts';
import { type Actors, signalRunning } from '../temporal/signals.ts';

const FOR_MS = 60 * 60_000;
const AT_ONCE = 20;

/** Returns how many were told. */
export async function wakeRestored(db: Database, actors: Actors, now: Date): Promise<number> {
  if (!(await hasRestoreEndedSince(db, new Date(now.getTime() - FOR_MS)))) return 0;
  const deliveries = await listRestoredDeliveries(db, now);
  const atOnce = pLimit(AT_ONCE);
  const told = await Promise.all(
    deliveries.map(({ articleId, destination }) => atOnce(() => signalRunning(actors, { articleId, destination }))),
  );
  return told.filter(Boolean).length;
}
