/**
 * An author's commands for one delivery. Each changes the row and adds an outbox entry in one
 * transaction; the dispatcher then signals the workflow. Idempotent; invalidates earlier decisions.
 */
import { sql, type Transaction, type Updateable } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import { type CopyAnswer, readCopyAnswer } from '../../delivery/presence.ts';
import { TIMEOUTS } from '../../delivery/timeouts.ts';
import { closeAttempt } from '../attempts/record-answer.ts';
import { RefusedCommandError } from '../commands/refused-command.ts';
import { adoptCopy } from '../copies/adopt-copy.ts';
import { isPostTaken, listOtherPosts } from '../copies/post-owner.ts';
import type { Database } from '../db/database.ts';
import { NOW } from '../db/now.ts';
import type { DB } from '../db/types.ts';
import { enqueueDelivery } from '../outbox/enqueue.ts';
import { type LockedState, lockDeliveryState } from './lock-state.ts';

export interface DeliveryTarget {
  authorId: string;
  articleId: string;
  destination: DestinationKey;
}

/** Retries after a failure or during a pause. Cancels an earlier `skip` or `withdraw`. */
export function retryDelivery(db: Database, target: DeliveryTarget): Promise<void> {
  return runCommand(db, target, async (tx, row) => {
    if (row.state === 'delivered' && !row.withdrawRequested)
      throw new RefusedCommandError(
        'NOTHING_TO_RETRY',
        'The destination already has the current article. To send a change, publish the article again.',
      );
    // The answered attempt made no post, so the retry is a new attempt.
    if (row.openId !== null && row.openAnswer !== null && NO_POST_ANSWERS.has(readCopyAnswer(row.openAnswer))) {
      await closeAttempt(tx, row.openId, 'retried');
    }
    return { skippedDispatch: 0, withdrawRequested: false, ...markUnhandled(row) };
  });
}

const NO_POST_ANSWERS: ReadonlySet<CopyAnswer> = new Set(['nothing', 'gone', 'foreign']);

/** Skips the current dispatch at this destination; the next publish is sent. */
export function skipDelivery(db: Database, target: DeliveryTarget): Promise<void> {
  return runCommand(db, target, async (tx, row) => {
    if (row.state === 'delivered')
      throw new RefusedCommandError('DELIVERED', 'The article was already delivered. To remove the copy, withdraw it.');
    if (row.openId !== null && row.openAction === 'create') {
      const unknown = { unknownDispatch: row.dispatch };
      await tx.updateTable('deliveryAttempts').set(unknown).where('id', '=', row.openId).execute();
    }
    return { skippedDispatch: row.dispatch, handledDispatch: row.dispatch };
  });
}

/** Updates a post that was edited at the destination; the edit is lost. */
export function overwriteDelivery(db: Database, target: DeliveryTarget): Promise<void> {
  return runCommand(db, target, async (tx, row) => {
    if (row.remoteId === null || row.presence === 'deleted')
      throw new RefusedCommandError('NO_REMOTE_POST', 'The destination has no copy of this article.');
    // An open update from before this command will detect the edit and clear `overwrite`, so it is
    // voided and another update follows.
    if (row.openId !== null && row.openAction === 'update' && !row.overwrite)
      await closeAttempt(tx, row.openId, 'void');
    return { overwrite: true, skippedDispatch: 0, withdrawRequested: false, ...markUnhandled(row) };
  });
}

/** Withdraws the copy as far as the platform allows; it remains withdrawn until `retry`. */
export function withdrawDelivery(db: Database, target: DeliveryTarget): Promise<void> {
  return runCommand(db, target, async (_tx, row) => {
    if (!row.hasLiveCopy && row.openId === null && row.withdrawRequested) return null;
    // The platform cannot withdraw, and the author was notified; a repeated command has no effect.
    if (row.withdrawRequested && row.errorCode === 'cannot_withdraw') return null;
    return { withdrawRequested: true, skippedDispatch: 0, ...markUnhandled(row) };
  });
}

/** The post that the author found at the destination; null if there is none. */
export type CopyFinding = { remoteId: string; url: string } | null;

export interface Settlement {
  finding: CopyFinding;
  canUpdate: boolean;
  /** Attempts when the page was loaded: the finding does not apply to a later attempt. */
  seenAttempts?: number | undefined;
}

/**
 * Ends an unknown outcome with the author's finding. Adopts a found post, and updates it if the
 * platform can; without one, sends the article again. A late record of the attempt has no effect.
 */
export function settleDelivery(db: Database, target: DeliveryTarget, settlement: Settlement): Promise<void> {
  const { finding, canUpdate, seenAttempts } = settlement;
  const settling = runCommand(db, target, async (tx, row) => {
    const { openId, accountId } = row;
    if (openId === null || accountId === null || row.openAction !== 'create') {
      throw new RefusedCommandError(
        'NOTHING_TO_SETTLE',
        'The outcome of this delivery is known; there is nothing to resolve. Load the delivery again to see it.',
      );
    }
    const attempt = await readOpenAttempt(tx, openId);
    if (seenAttempts !== undefined && seenAttempts !== row.attempts) {
      const message =
        'The article was sent again since this page was loaded. Check there once more, and report what you find now.';
      throw new RefusedCommandError('SENT_AGAIN', message);
    }
    // The answer arrived after the report: the workflow records it, and nothing is sent twice.
    if (row.openAnswer?.kind === 'done') return {};
    if (row.openAnswer === null && attempt.sentMsAgo < MAX_CALL_MS) {
      const message = 'The attempt may still be running. Resolve it once its state is unknown.';
      throw new RefusedCommandError('STILL_TRYING', message);
    }
    if (finding && (await listOtherPosts(tx, { accountId, articleId: target.articleId })).has(finding.remoteId)) {
      throw createPostTaken();
    }
    await closeAttempt(tx, openId, 'settled');
    if (!finding) {
      await tx.updateTable('copies').set({ presence: 'absent' }).where('id', '=', row.copyId).execute();
      return { skippedDispatch: 0, ...markUnhandled(row) };
    }
    const copyId = await adoptCopy(tx, { articleId: target.articleId, accountId }, finding);
    // The post has the attempt's content. If the platform can update, the current revision is sent.
    const { contentHash, revision } = attempt;
    if (!canUpdate) await tx.updateTable('copies').set({ contentHash, revision }).where('id', '=', copyId).execute();
    if (canUpdate || row.shouldBeWithdrawn) return { skippedDispatch: 0, ...markUnhandled(row) };
    return { skippedDispatch: 0, handledDispatch: row.dispatch };
  });
  return settling.catch((error: unknown) => {
    throw isPostTaken(error) ? createPostTaken() : error;
  });
}

function createPostTaken(): RefusedCommandError {
  return new RefusedCommandError('POST_TAKEN', 'That post belongs to another article.');
}

/** How long the sending activity can run, by the database's clock. */
const MAX_CALL_MS = TIMEOUTS.startSendingMs + TIMEOUTS.httpMs + TIMEOUTS.storeAnswerMs;

function readOpenAttempt(tx: Transaction<DB>, id: string) {
  return tx
    .selectFrom('deliveryAttempts')
    .select(['contentHash', 'revision'])
    .select(
      sql<number>`(extract(epoch from clock_timestamp() - coalesce(repeated_at, started_at)) * 1000)::float8`.as(
        'sentMsAgo',
      ),
    )
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/** `command` returns the changed columns; null if nothing changes. */
function runCommand(
  db: Database,
  target: DeliveryTarget,
  command: (tx: Transaction<DB>, row: LockedState) => Promise<Updateable<DB['deliveries']> | null>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const row = await lockDeliveryState(tx, target);
    if (row?.authorId !== target.authorId)
      throw new RefusedCommandError('NOT_FOUND', 'You have no delivery of this article to this destination.');
    const changes = await command(tx, row);
    if (changes === null) return;
    await tx
      .updateTable('deliveries')
      .set({ ...changes, version: sql`version + 1`, dueAt: NOW })
      .where('id', '=', row.deliveryId)
      .execute();
    // If the open attempt fails, this command remains due.
    if (row.openId !== null && changes.handledDispatch !== row.dispatch) {
      const renewed = { hasLaterCommand: true, unknownDispatch: null };
      await tx.updateTable('deliveryAttempts').set(renewed).where('id', '=', row.openId).execute();
    }
    await enqueueDelivery(tx, target.articleId, target.destination);
  });
}

/** Marks the last dispatch as not handled, so that the workflow handles it again. */
function markUnhandled({ handledDispatch, dispatch }: LockedState): { handledDispatch: number } {
  return { handledDispatch: Math.min(handledDispatch ?? 0, dispatch - 1) };
}
