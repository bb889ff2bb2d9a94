/**
 * Deletes expired and unreferenced rows and pictures once a minute, on every instance. A sweep that
 * takes longer delays the next one.
 */
import type { FastifyBaseLogger } from 'fastify';
import { pruneChanges } from '../../store/changes/list-changes.ts';
import type { Database } from '../../store/db/database.ts';
import type { ImageStore } from '../../store/images/files/image-store.ts';
import { finishImageDeletion, releaseUnusedImages, startImageDeletions } from '../../store/images/sweep.ts';
import { EXPIRING_TABLES, type ExpiringTable, sweepExpired } from '../../store/operation/sweep-expired.ts';
import { sweepDaySalts } from '../../store/page-views/day-salt.ts';
import { sweepUnconfirmedAccounts } from '../../store/users/sweep-unconfirmed.ts';

const SWEEP_MS = 60_000;
/** Run in sequence. A sweep that fails does not stop the others. */
const SWEEPS: Record<string, (db: Database, now: Date) => Promise<unknown>> = {
  ...Object.fromEntries(
    Object.keys(EXPIRING_TABLES).map((table) => [
      table,
      (db: Database, now: Date) => sweepExpired(db, table as ExpiringTable, now),
    ]),
  ),
  'day salts': sweepDaySalts,
  'unconfirmed accounts': sweepUnconfirmedAccounts,
  'superseded changes': pruneChanges,
};

export function startSweeper(deps: { db: Database; images: ImageStore; log: FastifyBaseLogger; now: () => Date }): {
  stop(): Promise<void>;
} {
  const sweeps = { ...SWEEPS, 'unreferenced images': (db: Database, now: Date) => sweepImages(db, deps.images, now) };
  let running: Promise<void> | undefined;
  let isStopped = false;
  const sweep = async () => {
    for (const [name, remove] of Object.entries(sweeps)) {
      if (isStopped) return;
      try {
        await remove(deps.db, deps.now());
      } catch (error) {
        deps.log.warn({ err: error }, `failed to sweep ${name}; the next sweep retries`);
      }
    }
  };
  const timer = setInterval(() => {
    running ??= sweep().finally(() => {
      running = undefined;
    });
  }, SWEEP_MS).unref();
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

/**
 * Deletes pictures without references: marks their rows, then deletes the bytes, then the rows. A
 * later sweep retries those that fail.
 */
export async function sweepImages(db: Database, images: ImageStore, now: Date): Promise<void> {
  await releaseUnusedImages(db, now);
  const names = await startImageDeletions(db, now);
  const removals = await Promise.allSettled(names.map((name) => images.remove(name)));
  for (const [index, name] of names.entries()) {
    if (removals[index]?.status === 'fulfilled') await finishImageDeletion(db, name, now);
  }
  const failure = removals.find((removal) => removal.status === 'rejected');
  if (failure) throw failure.reason;
}
