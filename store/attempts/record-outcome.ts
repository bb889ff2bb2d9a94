/**
 * Records an attempt's outcome and its notification in one transaction. Always writes facts (the
 * copy); writes decisions (dispatch handled, retry time) only if both versions match. Idempotent.
 */
import { sql } from 'kysely';
import type { OutcomeInput } from '../../delivery/activity-messages.ts';
import { readCopyAnswer } from '../../delivery/presence.ts';
import type { AttemptOutcome, DestinationAnswer, RecordedOutcome } from '../../delivery/types.ts';
import { addArticleNotice } from '../articles/article-notices.ts';
import { NO_SLOT } from '../connections/rate-budget.ts';
import { refuseConnection } from '../connections/refuse.ts';
import { adoptCopy } from '../copies/adopt-copy.ts';
import { isPostTaken } from '../copies/post-owner.ts';
import { buildCopyWrites, writeCopy } from '../copies/write-copy.ts';
import type { Database } from '../db/database.ts';
import { NOW } from '../db/now.ts';
import type { TripTransaction } from '../db/trips.ts';
import { applyDecision, type DecidedAttempt, type DecidedRow } from '../deliveries/decide.ts';
import { buildOutcome, notifyOutcome } from '../deliveries/notify.ts';
import { insertNotification } from '../notifications/add.ts';
import { type AttemptEnd, addUnsent } from './add-unsent.ts';

/**
 * Returns false if nothing was written or another step is due: the delivery is planned again.
 * `answer`: passed by the activity that received it, and stored with the outcome.
 */
export async function recordOutcome(db: Database, input: OutcomeInput, answer?: DestinationAnswer): Promise<boolean> {
  try {
    const changesConnection = input.outcome.kind === 'unauthorised';
    const isCurrent = await applyDecision(db, { ...input, changesConnection }, async (trip, row, isPlanCurrent) => {
      const { attempt } = row;
      // For a refused credential, the attempt ended before the probe.
      if (attempt?.outcome && input.outcome.kind !== 'unauthorised') {
        return isPlanCurrent && attempt.outcome === OUTCOMES[input.outcome.kind];
      }
      return write({ ...input, trip, row, attempt, isPlanCurrent, answer });
    });
    return isCurrent ?? false;
  } catch (error) {
    // Another article has adopted the post since the look-up. The next look-up excludes it.
    if (isPostTaken(error)) return false;
    throw error;
  }
}

const OUTCOMES: Record<Exclude<RecordedOutcome['kind'], 'unauthorised'>, AttemptOutcome> = {
  delivered: 'delivered',
  adopted: 'adopted',
  absent: 'absent',
  withdrawn: 'withdrawn',
  retry: 'retried',
  failed: 'failed',
};

interface Ended extends OutcomeInput {
  trip: TripTransaction;
  row: DecidedRow;
  /** Null if nothing was sent. */
  attempt: DecidedAttempt | null;
  isPlanCurrent: boolean;
  answer: DestinationAnswer | undefined;
}

function write(ended: Ended): Promise<boolean> {
  const { outcome } = ended;
  switch (outcome.kind) {
    case 'delivered':
      return writeDelivered(ended, outcome.remote);
    case 'adopted':
      return writeAdopted(ended, outcome.remote);
    case 'absent':
      return writeAbsent(ended);
    case 'withdrawn':
      return writeWithdrawn(ended, outcome);
    case 'retry':
      return writeRetry(ended, outcome);
    case 'failed':
      return writeFailed(ended, outcome);
    case 'unauthorised':
      return writeUnauthorised(ended, outcome);
  }
}

type Remote = Extract<RecordedOutcome, { kind: 'delivered' | 'adopted' }>['remote'];

async function writeDelivered({ trip, row, attempt, isPlanCurrent, answer, deliveryId }: Ended, remote: Remote) {
  if (!attempt || row.copyId === null) return false;
  const { tx, commitWith } = trip;
  for (const [index, { code, message }] of (remote.notices ?? []).entries()) {
    const dedupeKey = `attempt:${attempt.id}:${index}`;
    await addArticleNotice(tx, { articleId: row.articleId, code, message, dedupeKey, now: new Date() });
  }
  const isUpToDate = isPlanCurrent && attempt.revision === row.revision && isPublic(row);
  await commitWith(
    ...buildCopyWrites(tx, row, attempt, { answer: 'done', remote }),
    endAttempt(tx, attempt, { outcome: 'delivered' }, answer).compile(),
    ...(isUpToDate ? [markDispatchHandled(tx, deliveryId, row.dispatch, { overwrite: false }).compile()] : []),
    insertNotification(tx, buildOutcome(row, `attempt:${attempt.id}`, { sharedUrl: remote.url })),
  );
  return isUpToDate;
}

/** Adopts a found post. Its content is unknown, so an update follows and notifies the author. */
async function writeAdopted({ trip: { tx }, row, attempt, isPlanCurrent }: Ended, remote: Remote) {
  if (row.accountId === null || (!attempt && (!isPlanCurrent || row.presence === 'live'))) return false;
  const copyId = await adoptCopy(tx, { ...row, accountId: row.accountId }, remote);
  if (attempt) await endAttempt(tx, attempt, { outcome: 'adopted' }).set({ copyId }).execute();
  return isPlanCurrent;
}

/** A look-up proved that the create made no post. */
async function writeAbsent({ trip: { tx }, row, attempt, isPlanCurrent }: Ended): Promise<boolean> {
  if (attempt?.action !== 'create') return false;
  const result = attempt.code === 'outcome_unknown' ? ({ code: 'made_nothing', reason: NO_POST_CREATED } as const) : {};
  await writeCopy(tx, row, attempt, { answer: 'nothing' });
  await endAttempt(tx, attempt, { outcome: 'absent', ...result }).execute();
  return isPlanCurrent;
}

const NO_POST_CREATED = 'No post created: Courant checked the destination after the last attempt.';

/** `mayReturn`: an earlier update may still make the copy live, so it is withdrawn again later. */
async function writeWithdrawn(
  ended: Ended,
  { deleted, mayReturn }: RecordedOutcome & { kind: 'withdrawn' },
): Promise<boolean> {
  const { trip, row, attempt, isPlanCurrent, deliveryId } = ended;
  if (!attempt || row.copyId === null) return false;
  const { tx } = trip;
  await writeCopy(tx, row, attempt, { answer: deleted ? 'deleted' : 'done', mayReturn });
  await endAttempt(tx, attempt, { outcome: 'withdrawn' }).execute();
  // False if the article was published again before this was recorded.
  const isCurrent = isPlanCurrent && !isPublic(row);
  if (isCurrent && !mayReturn) await markDispatchHandled(tx, deliveryId, row.dispatch, { overwrite: false }).execute();
  return isCurrent;
}

function isPublic({ status, withdrawRequested }: DecidedRow): boolean {
  return status === 'PUBLISHED' && !withdrawRequested;
}

/** A create that may have created a post remains open. */
async function writeRetry(ended: Ended, { code, reason, afterMs, isUnsettled }: RecordedOutcome & { kind: 'retry' }) {
  const { trip, row, attempt, isPlanCurrent, deliveryId } = ended;
  if (!isPlanCurrent) return false;
  const { tx } = trip;
  if (attempt && isUnsettled) {
    await tx.updateTable('deliveryAttempts').set({ code, reason }).where('id', '=', attempt.id).execute();
  } else {
    await endOrAdd(ended, { outcome: 'retried', code, reason });
    // The unanswered request may have changed the post's time, so the next update must not compare
    // it.
    if (code === 'outcome_unknown' && row.copyId !== null) {
      await tx.updateTable('copies').set({ remoteChangedAt: null }).where('id', '=', row.copyId).execute();
    }
  }
  const dueAt = sql<Date>`clock_timestamp() + make_interval(secs => ${afterMs / 1000})`;
  await tx.updateTable('deliveries').set({ dueAt }).where('id', '=', deliveryId).execute();
  return true;
}

/**
 * A permanent refusal, or too many failures. `unknown`: a post may exist that no look-up can find.
 * The attempt remains open, so that the next publish looks up before it creates.
 */
async function writeFailed(
  ended: Ended,
  { state, code, reason }: RecordedOutcome & { kind: 'failed' },
): Promise<boolean> {
  const { trip, row, attempt, attemptId, isPlanCurrent, deliveryId, dispatch } = ended;
  if (!isPlanCurrent) return false;
  const { tx } = trip;
  if (state === 'unknown') {
    // The answer was stored after this decision.
    if (!attempt || attempt.answer?.kind === 'done') return false;
    const unknown = { code, reason, unknownDispatch: dispatch };
    await tx.updateTable('deliveryAttempts').set(unknown).where('id', '=', attempt.id).execute();
    await notifyOutcome(tx, row, `attempt:${attemptId}:unknown:${dispatch}`, { reason });
  } else if (attempt?.hasLaterCommand) {
    await endOrAdd(ended, { outcome: 'retried', code, reason });
    return false;
  } else {
    await endOrAdd(ended, { outcome: 'failed', code, reason });
    await notifyOutcome(tx, row, `attempt:${attemptId}`, { reason });
  }
  // This outcome does not apply to a later publish.
  if (dispatch < row.dispatch) return false;
  await markDispatchHandled(tx, deliveryId, dispatch).execute();
  return true;
}

/**
 * Marks the connection as unauthorised, which holds its deliveries. Notifies once per credential.
 * Returns false if the credential was replaced meanwhile.
 */
async function writeUnauthorised(ended: Ended, { reason, isUnsettled }: RecordedOutcome & { kind: 'unauthorised' }) {
  const { trip, row, attempt, connectionId, connectionVersion } = ended;
  if (connectionId === null) return false;
  const { tx } = trip;
  const refusal = await refuseConnection(tx, { id: connectionId, version: connectionVersion, reason });
  // A refused request made no post. A refused look-up proves nothing about the earlier request.
  if (attempt?.outcome === null && !isUnsettled)
    await endOrAdd(ended, { outcome: 'retried', code: 'unauthorised', reason });
  if (refusal === 'marked') await notifyOutcome(tx, row, `refused:${connectionId}:${connectionVersion}`, { reason });
  return refusal !== 'other credential';
}

type Transaction = TripTransaction['tx'];

function endAttempt(tx: Transaction, { id }: DecidedAttempt, end: AttemptEnd, answer?: DestinationAnswer) {
  return tx
    .updateTable('deliveryAttempts')
    .set({ code: null, reason: null, ...end, endedAt: NOW })
    .$if(answer !== undefined, (query) => query.set({ answer: JSON.stringify(answer), answeredAt: NOW }))
    .where('id', '=', id);
}

/** Ends the attempt. If nothing was sent, adds an unsent attempt to record the reason. */
async function endOrAdd({ trip: { tx }, row, attempt, attemptId, deliveryId, dispatch }: Ended, end: AttemptEnd) {
  if (attempt) {
    const storedAnswer = attempt.answer ? readCopyAnswer(attempt.answer) : 'lost';
    // A create that ends here made no post, as its answer or a look-up proved.
    const answer = attempt.action === 'create' ? 'nothing' : storedAnswer === 'open' ? 'lost' : storedAnswer;
    await writeCopy(tx, row, attempt, { answer });
    // The attempt may be ended by a later dispatch than the one it was sent for.
    const latest = { dispatch: Math.max(attempt.dispatch, dispatch) };
    await endAttempt(tx, attempt, end).set(latest).execute();
    return;
  }
  if (row.accountId === null) return;
  await addUnsent(tx, { ...row, id: attemptId, deliveryId, accountId: row.accountId, dispatch }, end);
}

/** The dispatch has its outcome, and nothing is due until the author acts. */
export function markDispatchHandled(
  tx: Transaction,
  deliveryId: string,
  dispatch: number,
  more: { overwrite?: boolean } = {},
) {
  return tx
    .updateTable('deliveries')
    .set({ ...NO_SLOT, ...more, handledDispatch: dispatch, dueAt: null })
    .where('id', '=', deliveryId);
}
