/**
 * Records that a delivery cannot be planned or recorded (a bug, an unexpected row, repeatedly lost
 * workers). Simple on purpose, so that the same cause does not break it. Idempotent.
 */
import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { type LockedKey, type LockedState, lockDeliveryState } from '../deliveries/lock-state.ts';
import { notifyOutcome } from '../deliveries/notify.ts';
import { addUnsent } from './add-unsent.ts';
import { markDispatchHandled } from './record-outcome.ts';
import { recordWaiting } from './record-rest.ts';

/** Shows the problem on the open attempt, or else on an added unsent attempt. */
export function recordProblem(
  db: Database,
  key: LockedKey,
  { reason, forMs }: { reason: string; forMs: number },
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const row = await lockDeliveryState(tx, key);
    if (!row) return;
    const problem = { code: 'interrupted', reason } as const;
    if (row.openId !== null) {
      await tx.updateTable('deliveryAttempts').set(problem).where('id', '=', row.openId).execute();
    } else if (row.accountId !== null && row.lastReason !== reason) {
      await addUnsent(tx, { ...buildUnsent(row), accountId: row.accountId }, { outcome: 'retried', ...problem });
    }
    await recordWaiting(tx, row.deliveryId, forMs);
  });
}

/**
 * Fails the delivery and notifies once per dispatch: for `dispatch`, or for the latest if it is null.
 * A create of unknown outcome remains open, so that the next publish looks up before it creates.
 * Returns false if a later dispatch is due.
 */
export function recordGivenUp(
  db: Database,
  key: LockedKey,
  { reason, dispatch: failedDispatch }: { reason: string; dispatch: number | null },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const row = await lockDeliveryState(tx, key);
    if (!row) return true;
    const dispatch = failedDispatch ?? row.dispatch;
    const end = { code: 'gave_up', reason } as const;
    if (row.openId !== null && row.openAction === 'create') {
      await tx
        .updateTable('deliveryAttempts')
        .set({ ...end, unknownDispatch: dispatch })
        .where('id', '=', row.openId)
        .execute();
    } else if (row.accountId !== null) {
      await addUnsent(tx, { ...buildUnsent(row), accountId: row.accountId, dispatch }, { outcome: 'failed', ...end });
    }
    await notifyOutcome(tx, row, `gave-up:${row.deliveryId}:${dispatch}`, { reason });
    if (dispatch < row.dispatch) return false;
    await markDispatchHandled(tx, row.deliveryId, dispatch).execute();
    return true;
  });
}

function buildUnsent({ deliveryId, copyId, dispatch, revision, presence }: LockedState) {
  return { id: randomUUID(), deliveryId, copyId, dispatch, revision, presence };
}
