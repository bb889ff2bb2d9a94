/** Records destinations' answers. They are facts, stored regardless of changes to the delivery. */
import { sql } from 'kysely';
import { readCopyAnswer } from '../../delivery/presence.ts';
import type { AttemptOutcome, DestinationAnswer, PlanVersions } from '../../delivery/types.ts';
import { isPostTaken } from '../copies/post-owner.ts';
import { writeCopy } from '../copies/write-copy.ts';
import type { Database } from '../db/database.ts';
import { NOW } from '../db/now.ts';
import type { TripTransaction } from '../db/trips.ts';
import { applyDecision, type DecidedAttempt, type DecidedRow } from '../deliveries/decide.ts';
import { notifyOutcome } from '../deliveries/notify.ts';
import { enqueueDelivery } from '../outbox/enqueue.ts';

/**
 * Stores the destination's answer; called by the activity that received it. The first answer
 * counts. If the attempt has ended or another account is connected, no workflow handles it, so it
 * is handled here.
 */
export async function recordAnswer(
  db: Database,
  decided: PlanVersions & { attemptId: string },
  answer: DestinationAnswer,
): Promise<void> {
  try {
    await storeAnswer(db, decided, answer, { writesCopy: true });
  } catch (error) {
    // Another article has the post. An ended attempt stores only the answer; an open attempt is
    // looked up again.
    if (!isPostTaken(error)) throw error;
    await storeAnswer(db, decided, answer, { writesCopy: false });
  }
}

async function storeAnswer(
  db: Database,
  decided: PlanVersions & { attemptId: string },
  answer: DestinationAnswer,
  { writesCopy }: { writesCopy: boolean },
): Promise<void> {
  await applyDecision(db, decided, async ({ tx }, row) => {
    const { attempt } = row;
    if (!attempt || attempt.answer !== null || (!writesCopy && attempt.outcome === null)) return;
    const unknown =
      answer.kind === 'unknown' && attempt.outcome === null ? { code: 'outcome_unknown', reason: answer.reason } : {};
    await tx
      .updateTable('deliveryAttempts')
      .set({ answer: JSON.stringify(answer), answeredAt: NOW, ...unknown })
      .where('id', '=', attempt.id)
      .execute();
    if (writesCopy) await applyAnswer(tx, row, attempt, answer);
  });
}

async function applyAnswer(tx: Transaction, row: DecidedRow, attempt: DecidedAttempt, answer: DestinationAnswer) {
  if (!(await isNewestAttempt(tx, row, attempt)) && !(answer.kind === 'done' && answer.deleted)) return;
  const remote = answer.kind === 'done' ? answer.remote : null;
  await writeCopy(tx, row, attempt, { answer: readCopyAnswer(answer), remote });
  const { isAtAccount } = row;
  if (attempt.outcome === null && (isAtAccount || row.connectionId === null)) return;
  if (attempt.outcome === null) await endAtOtherAccount(tx, row, attempt, answer);
  // The copy is up to date, so no update follows the adoption and nothing else notifies.
  else if (attempt.outcome === 'adopted' && answer.kind === 'done' && answer.remote)
    await notifyOutcome(tx, row, `attempt:${attempt.id}`, { sharedUrl: answer.remote.url });
  await tx
    .updateTable('deliveries')
    .set({ version: sql`version + 1`, ...(isAtAccount ? { dueAt: NOW } : {}) })
    .where('articleId', '=', row.articleId)
    .where('destination', '=', row.destination)
    .execute();
  // The workflow may have ended on the old presence, and another step may be due.
  if (isAtAccount) await enqueueDelivery(tx, row.articleId, row.destination);
}

type Transaction = TripTransaction['tx'];

/** Whether no later attempt has changed the copy. */
async function isNewestAttempt(tx: Transaction, { copyId }: DecidedRow, { id }: DecidedAttempt): Promise<boolean> {
  const { rows } = await sql`select from delivery_attempts t join delivery_attempts own on own.id = ${id}
    where t.copy_id = ${copyId} and t.was_sent and t.started_at > own.started_at limit 1`.execute(tx);
  return rows.length === 0;
}

/** Ends the attempt; its answer, code and reason are unchanged. */
export async function closeAttempt(tx: Transaction, id: string, outcome: AttemptOutcome): Promise<void> {
  await tx.updateTable('deliveryAttempts').set({ outcome, endedAt: NOW }).where('id', '=', id).execute();
}

/** Another account is connected: ends the attempt and notifies of a created or updated copy. */
async function endAtOtherAccount(tx: Transaction, row: DecidedRow, { id }: DecidedAttempt, answer: DestinationAnswer) {
  if (answer.kind === 'unknown') return;
  const outcome = answer.kind !== 'done' ? 'void' : answer.remote ? 'delivered' : 'withdrawn';
  await closeAttempt(tx, id, outcome);
  if (answer.kind === 'done' && answer.remote)
    await notifyOutcome(tx, row, `attempt:${id}`, { sharedUrl: answer.remote.url });
}

/** The call ended without an answer. Preserves an earlier reason. A later answer still counts. */
export async function recordUnknownOutcome(db: Database, attemptId: string, reason: string): Promise<void> {
  await db
    .updateTable('deliveryAttempts')
    .set({ code: 'outcome_unknown', reason })
    .where('id', '=', attemptId)
    .where('endedAt', 'is', null)
    .where('answer', 'is', null)
    .where('code', 'is', null)
    .execute();
}
