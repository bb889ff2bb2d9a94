/**
 * How an attempt failed, and what a delivery waits for, written in one transaction with the notification that tells the author. Every
 * function is idempotent.
 */
import { sql } from 'kysely';
import { buildHeldColumns, refuseConnection } from '../connections/refuse.ts';
import type { Database } from '../db/database.ts';
import { type AttemptKey, lockDelivery, NOT_IN_FLIGHT, notify, type OutcomeKey } from './row.ts';

/**
 * A permanent refusal, or given up. `unknown` where a post may be out there and nothing can find it: the attempt stays marked, so that
 * another publish looks before it makes anything. `remote_gone`: the next publish makes the post anew.
 */
export function recordFailed(
  db: Database,
  outcome: OutcomeKey & { state: 'failed' | 'unknown'; dispatch: number; code: string; reason: string },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const row = await lockDelivery(tx, outcome);
    if (!row) return false;
    await tx
      .updateTable('deliveries')
      .set({
        ...(outcome.state === 'unknown' ? {} : NOT_IN_FLIGHT),
        ...(outcome.code === 'remote_gone' ? { remoteId: null } : {}),
        state: outcome.state,
        lastErrorCode: outcome.code,
        lastError: outcome.reason,
        nextAttemptAt: null,
        handledDispatch: outcome.dispatch,
        updatedAt: outcome.now,
      })
      .where('id', '=', outcome.deliveryId)
      .execute();
    return notify(tx, row, outcome, 'CROSS_POST_FAILED', { reason: outcome.reason });
  });
}

/** Nothing happened there yet, and it will be tried again. A create that may have happened stays in flight. */
export async function recordRetry(
  db: Database,
  retry: AttemptKey & { code: string; reason: string; nextAttemptAt: Date; stillInFlight: boolean },
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({
      ...(retry.stillInFlight ? {} : NOT_IN_FLIGHT),
      // An update that may have arrived may have moved the post's time: the next one could not tell it from somebody else's change.
      ...(retry.code === 'unknown_outcome' ? { remoteChangedAt: null } : {}),
      state: retry.stillInFlight ? 'delivering' : sql`case when remote_id is null then 'pending' else 'stale' end`,
      lastErrorCode: retry.code,
      lastError: retry.reason,
      nextAttemptAt: retry.nextAttemptAt,
      updatedAt: retry.now,
    })
    .where('id', '=', retry.deliveryId)
    .where('attempts', '=', retry.attempt)
    .execute();
}

export const SKIPPED = {
  lastErrorCode: 'skipped',
  lastError: 'Skipped at your request. The next publish goes there again.',
  nextAttemptAt: null,
} as const;

/** An attempt that was under way when its author skipped it, and failed: its row says that it is not tried again. */
export async function recordSkipped(db: Database, deliveryId: string, now: Date): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ ...SKIPPED, state: sql`case when remote_id is null then 'failed' else 'stale' end`, updatedAt: now })
    .where('id', '=', deliveryId)
    .where('inFlightAction', 'is', null)
    .where('lastErrorCode', 'is distinct from', SKIPPED.lastErrorCode)
    .execute();
}

/** Waits for its account's rate slot: shown to the author, and no sign of a stalled delivery. */
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
  outcome: OutcomeKey & { connectionId: string; generation: number; reason: string; stillInFlight: boolean },
): Promise<boolean> {
  const { connectionId, reason, now } = outcome;
  return db.transaction().execute(async (tx) => {
    const refusal = await refuseConnection(tx, {
      id: connectionId,
      credentialVersion: outcome.generation,
      reason,
      now,
    });
    const inFlight = outcome.stillInFlight ? {} : NOT_IN_FLIGHT;
    if (refusal === 'other credential') {
      await tx
        .updateTable('deliveries')
        .set(inFlight)
        .set({ updatedAt: now })
        .where('id', '=', outcome.deliveryId)
        .where('attempts', '=', outcome.attempt)
        .execute();
      return false;
    }
    // A refused credential means that this attempt made nothing; a refused look-up says nothing of an earlier one.
    await tx
      .updateTable('deliveries')
      .set({ ...buildHeldColumns(reason, now), ...inFlight, connectionId })
      .where('id', '=', outcome.deliveryId)
      .where('attempts', '=', outcome.attempt)
      .execute();
    if (refusal === 'marked before') return true;
    // Whatever became of this attempt meanwhile: this is the only place that tells the author of the credential.
    const row = await lockDelivery(tx, outcome, 'any attempt');
    if (row) await notify(tx, row, outcome, 'CROSS_POST_FAILED', { reason });
    return true;
  });
}
