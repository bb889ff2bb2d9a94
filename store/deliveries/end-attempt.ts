/** Ends an attempt in its own row: what the destination answered, and what that meant. */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { AttemptOutcome, DestinationAnswer } from '../../delivery/types.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { recordLateAnswer, recordLateDeletion } from './left-behind.ts';

/**
 * Writes down what the destination answered, by the activity that asked it, so that it is known whatever becomes of the workflow. Where
 * the delivery went to another account meanwhile, it is acted on here: nothing else will. The first answer counts.
 */
export function recordAnswer(
  db: Database,
  { deliveryId, number, answer }: { deliveryId: string; number: number; answer: DestinationAnswer },
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    // Locked first, so that a change of the account sees the answer, or this sees the change.
    const delivery = await tx
      .selectFrom('deliveries')
      .select('accountId')
      .where('id', '=', deliveryId)
      .forUpdate()
      .executeTakeFirst();
    const attempt = await tx
      .updateTable('deliveryAttempts')
      .set({ answer: JSON.stringify(answer), answeredAt: sql<Date>`clock_timestamp()` })
      .where('deliveryId', '=', deliveryId)
      .where('number', '=', number)
      .where('answer', 'is', null)
      .returning(['accountId', 'endedAt'])
      .executeTakeFirst();
    if (attempt?.endedAt === null && answer.kind === 'unknown') await showUnknown(tx, deliveryId, answer.reason);
    if (delivery && attempt && delivery.accountId !== attempt.accountId) {
      await recordLateAnswer(tx, { deliveryId, number, answer });
    } else if (attempt && attempt.endedAt !== null && answer.kind === 'done' && answer.deleted) {
      await recordLateDeletion(tx, { deliveryId, number });
    }
  });
}

/** Seen by its author while it is found out. */
async function showUnknown(tx: Transaction<DB>, deliveryId: string, reason: string): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ lastErrorCode: 'outcome_unknown', lastError: reason })
    .where('id', '=', deliveryId)
    .where('state', '=', 'delivering')
    .execute();
}

/**
 * The call of the attempt is over, and no answer to it was written down: its worker died in it, or the database was away. What was said since it was
 * sent says more, and stays. Should an answer come all the same, it is what counts. Run twice, it changes nothing.
 */
export async function recordUnanswered(
  db: Database,
  { deliveryId, number, reason }: { deliveryId: string; number: number; reason: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Locked by a statement of its own, so that the next one sees an answer that was being written down meanwhile.
    await tx.selectFrom('deliveries').select('id').where('id', '=', deliveryId).forUpdate().execute();
    await sql`update deliveries d
      set last_error_code = 'outcome_unknown', last_error = ${reason}, updated_at = clock_timestamp()
      from delivery_attempts t
      where d.id = ${deliveryId} and d.state = 'delivering' and t.delivery_id = d.id and t.account_id = d.account_id
        and t.number = ${number} and t.ended_at is null and t.answer is null
        and not ${isSaidOfAttempt}`.execute(tx);
  });
}

/**
 * What the row `d` says went wrong was written since its attempt `t` was sent. The mark of an attempt clears what was wrong before, so that no clocks are
 * compared: records have the worker's, attempts the database's. The mark of a repeat does not clear it.
 */
export const isSaidOfAttempt = sql<boolean>`(d.last_error_code is not null and (t.repeated_at is null or d.updated_at > t.repeated_at))`;

/**
 * Nothing happens where it has ended before. An update that ends without anybody knowing that it did nothing may have put a withdrawn post back
 * before readers: from then on the post counts as live, so that it is named, and withdrawn again where it is not wanted.
 */
export async function endAttempt(db: Kysely<DB>, key: AttemptNumber, end: AttemptEnd): Promise<void> {
  const attempt = await buildEnd(db, key, end).returning(['action', 'accountId', 'answer']).executeTakeFirst();
  if (attempt?.action !== 'update' || !MAY_HAVE_DONE.has(attempt.answer?.kind ?? 'unknown')) return;
  await db
    .updateTable('deliveries')
    .set({ withdrawnAt: null })
    .where('id', '=', key.deliveryId)
    .where('accountId', '=', attempt.accountId)
    .where('withdrawnAt', 'is not', null)
    .execute();
}

const MAY_HAVE_DONE: ReadonlySet<DestinationAnswer['kind']> = new Set(['done', 'unknown']);

interface AttemptNumber {
  deliveryId: string;
  attempt: number;
}

interface AttemptEnd {
  outcome: AttemptOutcome;
  code?: string;
  reason?: string;
  now: Date;
  answer?: object | undefined;
}

/** The statement of `endAttempt`, for a transaction that sends it with others. */
export function buildEnd(db: Kysely<DB>, { deliveryId, attempt }: AttemptNumber, end: AttemptEnd) {
  return db
    .updateTable('deliveryAttempts')
    .set({ outcome: end.outcome, code: end.code ?? null, reason: end.reason ?? null, endedAt: end.now })
    .$if(end.answer !== undefined, (query) =>
      query.set({ answer: JSON.stringify(end.answer), answeredAt: sql<Date>`clock_timestamp()` }),
    )
    .where('deliveryId', '=', deliveryId)
    .where('number', '=', attempt)
    .where('endedAt', 'is', null);
}
