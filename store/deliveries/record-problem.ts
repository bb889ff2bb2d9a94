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

/**
 * Given up, with one event for the publish `dispatch`, or for all that is due (null). A create whose outcome is open stays
 * open: another publish looks before it makes anything. Returns false if a later publish is still due.
 */
export function recordProblemGivenUp(
  db: Database,
  key: LockedKey,
  { reason, dispatch: givenUp }: { reason: string; dispatch: number | null },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const row = await lockDeliveryState(tx, key);
    if (!row) return true;
    const dispatch = givenUp ?? row.dispatch;
    const end = { code: 'gave_up', reason };
    if (row.openId !== null && row.openAction === 'create') {
      await tx
        .updateTable('deliveryAttempts')
        .set({ ...end, unknownDispatch: dispatch })
        .where('id', '=', row.openId)
        .execute();
    } else if (row.accountId !== null) {
      await addUnsent(tx, { ...describe(row), accountId: row.accountId, dispatch }, { outcome: 'failed', ...end });
    }
    await notify(tx, row, `gave-up:${row.deliveryId}:${dispatch}`, { reason });
    if (dispatch < row.dispatch) return false;
    await handle(tx, row.deliveryId, dispatch).execute();
    return true;
  });
}

function describe({ deliveryId, copyId, dispatch, revision, presence }: LockedState) {
  return { id: randomUUID(), deliveryId, copyId, dispatch, revision, presence };
}
