/**
 * What keeps a delivery from being planned or recorded at all (a bug of ours, a row that nobody expected, workers that are lost again and
 * again), written as plainly as possible: whatever broke must not break this too. Every function is idempotent.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { addUnsent } from './add-unsent.ts';
import { type LockedKey, type LockedState, lockDeliveryState } from './lock-state.ts';
import { notify } from './notify.ts';
import { handle } from './record-ending.ts';
import { recordWaiting } from './record-rest.ts';

/** Seen by the author from the first failure on: said of the attempt that is open, else of one that was not sent. */
export function recordProblem(
  db: Database,
  key: LockedKey,
  { reason, forMs }: { reason: string; forMs: number },
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const row = await lockDeliveryState(tx, key);
    if (!row) return;
    const said = { code: 'interrupted', reason };
    if (row.openId !== null) {
      await tx.updateTable('deliveryAttempts').set(said).where('id', '=', row.openId).execute();
    } else if (row.accountId !== null && row.lastReason !== reason) {
      await addUnsent(tx, { ...describe(row), accountId: row.accountId }, { outcome: 'retried', ...said });
    }
    await recordWaiting(tx, row.deliveryId, forMs);
  });
}

/** Given up, with one event for this publish. A create whose outcome is open stays open: another publish looks before it makes anything. */
export function recordProblemGivenUp(db: Database, key: LockedKey, reason: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const row = await lockDeliveryState(tx, key);
    if (!row) return;
    const end = { code: 'gave_up', reason };
    if (row.openId !== null && row.openAction === 'create') {
      await tx
        .updateTable('deliveryAttempts')
        .set({ ...end, unknownDispatch: row.dispatch })
        .where('id', '=', row.openId)
        .execute();
    } else if (row.accountId !== null) {
      await addUnsent(tx, { ...describe(row), accountId: row.accountId }, { outcome: 'failed', ...end });
    }
    await handle(tx, row.deliveryId, row.dispatch).execute();
    await notify(tx, row, `gave-up:${row.deliveryId}:${row.dispatch}`, { reason });
  });
}

function describe({ deliveryId, copyId, dispatch, revision, presence }: LockedState) {
  return { id: randomUUID(), deliveryId, copyId, dispatch, revision, presence };
}
