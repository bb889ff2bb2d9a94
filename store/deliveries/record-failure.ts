/**
 * How an attempt failed, and what a delivery waits for, written in one transaction with the notification that tells the author. Every
 * function is idempotent.
 */
import { sql } from 'kysely';
import { NO_SLOT } from '../connections/rate-budget.ts';
import { buildHeldColumns, refuseConnection } from '../connections/refuse.ts';
import type { Database } from '../db/database.ts';
import { endAttempt } from './end-attempt.ts';
import { type AttemptKey, lockDelivery, notify, type OutcomeKey, withAttempt } from './row.ts';

/** Deleted there, or shown to be somebody else's. */
const NO_POST_OF_OURS: ReadonlySet<string> = new Set(['remote_gone', 'remote_not_ours']);

/**
 * A permanent refusal, or given up. `unknown` where a post may be out there and nothing can find it: the attempt stays marked, so that
 * another publish looks before it makes anything. Where there is no post of ours any more, the next publish looks for one and makes it anew.
 */
export async function recordFailed(
  db: Database,
  outcome: OutcomeKey & { state: 'failed' | 'unknown'; dispatch: number; code: string; reason: string },
): Promise<boolean> {
  const { state, code, reason, now } = outcome;
  const isNotified = await withAttempt(db, outcome, async (tx, row) => {
    // Whoever asked has recorded the answer since this was planned: it is known.
    if (state === 'unknown' && row.sent === null) return false;
    await tx
      .updateTable('deliveries')
      .set({
        ...(NO_POST_OF_OURS.has(code) ? { remoteId: null } : {}),
        state,
        lastErrorCode: code,
        lastError: reason,
        nextAttemptAt: null,
        ...NO_SLOT,
        handledDispatch: outcome.dispatch,
        updatedAt: now,
      })
      .where('id', '=', outcome.deliveryId)
      .execute();
    if (state === 'failed') await endAttempt(tx, outcome, { outcome: 'failed', code, reason, now });
    return notify(tx, row, outcome, 'CROSS_POST_FAILED', { reason });
  });
  return isNotified ?? false;
}

/** Nothing happened there yet, and it will be tried again. A create that may have happened stays in flight. */
export async function recordRetry(
  db: Database,
  retry: AttemptKey & { code: string; reason: string; nextAttemptAt: Date; stillInFlight: boolean },
): Promise<void> {
  const { code, reason, now, stillInFlight } = retry;
  await withAttempt(db, retry, async (tx) => {
    await tx
      .updateTable('deliveries')
      .set({
        // An update that may have arrived may have moved the post's time: the next one could not tell it from somebody else's change.
        // Earlier releases called the code `unknown_outcome`. That stands in rows of theirs, where it is only shown, and does not arrive here, not even
        // while two releases run: a record is a local activity, so the worker that decides on the code also writes it.
        ...(code === 'outcome_unknown' ? { remoteChangedAt: null } : {}),
        state: stillInFlight ? 'delivering' : sql`case when remote_id is null then 'pending' else 'stale' end`,
        lastErrorCode: code,
        lastError: reason,
        nextAttemptAt: retry.nextAttemptAt,
        updatedAt: now,
      })
      .where('id', '=', retry.deliveryId)
      .execute();
    if (!stillInFlight) await endAttempt(tx, retry, { outcome: 'retried', code, reason, now });
  });
}

export const SKIPPED = {
  lastErrorCode: 'skipped',
  lastError: 'Skipped at your request. The next publish goes there again.',
  nextAttemptAt: null,
} as const;

/** An attempt that was under way when its author skipped it, and failed or was lost: its row says that it is not tried again. */
export async function recordSkipped(db: Database, deliveryId: string, now: Date): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ ...SKIPPED, state: AS_IT_STANDS, updatedAt: now })
    .where('id', '=', deliveryId)
    .where('lastErrorCode', 'is distinct from', SKIPPED.lastErrorCode)
    .execute();
}

/** An update or a withdrawal was lost, and nothing is due there any more. Its attempt stays open: should an answer come all the same, it counts. */
export async function recordLeft(db: Database, deliveryId: string, now: Date): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({
      lastErrorCode: 'outcome_unknown',
      lastError: LEFT,
      nextAttemptAt: null,
      state: AS_IT_STANDS,
      updatedAt: now,
    })
    .where('id', '=', deliveryId)
    .where('state', '=', 'delivering')
    .execute();
}

const AS_IT_STANDS = sql<'failed' | 'stale'>`case when remote_id is null then 'failed' else 'stale' end`;
const LEFT =
  'Nobody knows whether the last attempt arrived there, and nothing more is sent: of this article nothing is due there any more.';

/** Waits for its account, or for what may still arrive there: shown to the author, and no sign of a stalled delivery. */
export async function recordWaiting(db: Database, deliveryId: string, forMs: number): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ nextAttemptAt: sql<Date>`clock_timestamp() + make_interval(secs => ${forMs / 1000})` })
    .where('id', '=', deliveryId)
    .execute();
}

/** Waits for the author, without a notification of its own. */
export async function recordHeld(
  db: Database,
  deliveryId: string,
  held: { code: string; reason: string; now: Date },
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state: 'held', lastErrorCode: held.code, lastError: held.reason, nextAttemptAt: null, updatedAt: held.now })
    .where('id', '=', deliveryId)
    .execute();
}

/**
 * The credential is refused: marks the connection, holds all that waits for it, and notifies once, however many deliveries find it out.
 * Where the connection has another credential by now, it only ends the attempt, and answers false.
 */
export function recordUnauthorised(
  db: Database,
  outcome: OutcomeKey & { connectionId: string | null; generation: number; reason: string; stillInFlight: boolean },
): Promise<boolean> {
  const { connectionId, reason, now } = outcome;
  if (connectionId === null) return Promise.resolve(false);
  return db.transaction().execute(async (tx) => {
    const refusal = await refuseConnection(tx, {
      id: connectionId,
      credentialVersion: outcome.generation,
      reason,
      now,
    });
    const row = await lockDelivery(tx, outcome);
    const isCurrent = row !== null && (row.sent !== null || row.attempts === outcome.attempt);
    // A refused credential means that this attempt made nothing; a refused look-up says nothing of an earlier one.
    if (isCurrent && !outcome.stillInFlight) {
      await endAttempt(tx, outcome, { outcome: 'retried', code: 'unauthorised', reason, now });
    }
    if (refusal === 'other credential') return false;
    if (isCurrent) {
      const held = { ...buildHeldColumns(reason, now), connectionId };
      await tx.updateTable('deliveries').set(held).where('id', '=', outcome.deliveryId).execute();
    }
    if (refusal === 'marked before') return true;
    // Whatever became of this attempt meanwhile: this is the only place that tells the author of the credential.
    if (row) await notify(tx, row, outcome, 'CROSS_POST_FAILED', { reason });
    return true;
  });
}
