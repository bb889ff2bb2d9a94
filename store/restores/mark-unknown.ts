/** Marks a delivery without look-up that may have made a post after the backup as unknown. */
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { AttemptStep } from '../../delivery/types.ts';
import { closeAttempt } from '../attempts/record-answer.ts';
import { markDispatchHandled } from '../attempts/record-outcome.ts';
import type { Database } from '../db/database.ts';
import type { DB, LookUpKeys } from '../db/types.ts';
import { applyDecision, type DecidedRow } from '../deliveries/decide.ts';
import { notifyOutcome } from '../deliveries/notify.ts';

export interface UnknownPost {
  step: AttemptStep;
  hash: string;
  revision: number;
  lookUp: LookUpKeys;
  /** Whether it was due in the backup. Otherwise its author is notified at the next publish. */
  wasDue: boolean;
}

/** False if the delivery has changed since the read. Idempotent. */
export async function markUnknownAfterRestore(
  db: Database,
  { step, hash, revision, lookUp, wasDue }: UnknownPost,
  reason: string,
): Promise<boolean> {
  const { deliveryId, dispatch } = step;
  const isMarked = await applyDecision(db, step, async ({ tx }, row, holds) => {
    const { accountId, attempt } = row;
    if (!holds || accountId === null) return false;
    if (attempt) {
      // The open attempt was answered and made no post.
      await closeAttempt(tx, attempt.id, 'retried');
    }
    const copyId = await markUncertain(tx, row, accountId);
    const id = randomUUID();
    const sent = { id, deliveryId, accountId, copyId, dispatch, revision, contentHash: hash };
    await tx
      .insertInto('deliveryAttempts')
      // Dated a day ago, because no request of this attempt can still arrive.
      .values({
        ...sent,
        action: 'create',
        lookUp: JSON.stringify(lookUp),
        unknownDispatch: wasDue ? dispatch : null,
        code: 'outcome_unknown',
        reason,
        startedAt: ONE_DAY_AGO,
      })
      .execute();
    await markDispatchHandled(tx, deliveryId, dispatch).set({ version: sql`version + 1` }).execute();
    if (wasDue) await notifyOutcome(tx, row, `attempt:${id}:unknown:${dispatch}`, { reason });
    return true;
  });
  return isMarked ?? false;
}

/** Returns the id of the uncertain copy. */
async function markUncertain(
  tx: Transaction<DB>,
  { articleId, copyId, presence }: DecidedRow,
  accountId: string,
): Promise<string> {
  if (copyId !== null && presence !== 'deleted') {
    await tx.updateTable('copies').set({ presence: 'uncertain' }).where('id', '=', copyId).execute();
    return copyId;
  }
  // A post after a deletion is a new copy.
  if (copyId !== null) await tx.updateTable('copies').set({ isCurrent: false }).where('id', '=', copyId).execute();
  const copy = tx.insertInto('copies').values({ articleId, accountId, presence: 'uncertain' }).returning('id');
  return (await copy.executeTakeFirstOrThrow()).id;
}

const ONE_DAY_AGO = sql<Date>`clock_timestamp() - interval '1 day'`;
