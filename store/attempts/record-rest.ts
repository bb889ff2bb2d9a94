/** Records the state of a delivery that has nothing to send or has to wait. */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { PlanVersions, Rest } from '../../delivery/types.ts';
import { NO_SLOT } from '../connections/rate-budget.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { applyDecision } from '../deliveries/decide.ts';
import { addUnsent } from './add-unsent.ts';
import { markDispatchHandled } from './record-outcome.ts';

/** Returns false if the plan is outdated; it is planned again. Idempotent, does not notify. */
export async function recordRest(
  db: Database,
  decided: PlanVersions & { revision: number },
  { write, reason, staysDue }: Rest,
): Promise<boolean> {
  const { deliveryId, dispatch, revision } = decided;
  const isWritten = await applyDecision(db, { ...decided, attemptId: null }, async ({ tx }, row, isPlanCurrent) => {
    if (!isPlanCurrent) return false;
    if (write === 'upToDate' && row.copyId !== null) {
      await tx.updateTable('copies').set({ revision }).where('id', '=', row.copyId).execute();
    }
    if (write === 'unchangeable' && row.accountId !== null) {
      // The copy is unchanged; the publish response has warned the author.
      const attempt = { ...row, id: randomUUID(), deliveryId, accountId: row.accountId, dispatch };
      await addUnsent(tx, attempt, { outcome: 'failed', code: 'cannot_update', reason: reason });
    }
    if (write !== null) await markDispatchHandled(tx, deliveryId, dispatch).execute();
    else {
      // Skips the write if the row is already up to date.
      const rest = tx.updateTable('deliveries').set({ ...NO_SLOT, ...(staysDue ? {} : { dueAt: null }) });
      const hasChange = staysDue
        ? sql<boolean>`slot_at is not null`
        : sql<boolean>`(slot_at is not null or due_at is not null)`;
      await rest.where('id', '=', deliveryId).where(hasChange).execute();
    }
    return true;
  });
  return isWritten ?? true;
}

/** Moves `due_at`: a delivery waiting for a slot, a retry or a late request is not stalled. */
export async function recordWaiting(db: Kysely<DB>, deliveryId: string, forMs: number): Promise<void> {
  const dueAt = sql<Date>`clock_timestamp() + make_interval(secs => ${forMs / 1000})`;
  await db.updateTable('deliveries').set({ dueAt }).where('id', '=', deliveryId).execute();
}
