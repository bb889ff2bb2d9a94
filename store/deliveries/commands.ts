/**
 * An author's commands for one delivery. Each changes the row and adds an outbox entry in one transaction; the actor is signalled from the
 * outbox and acts on what the row says by then. Every command is idempotent.
 */
import { sql, type Transaction, type Updateable } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { enqueueDelivery } from '../outbox/enqueue.ts';
import { endAttempt } from './end-attempt.ts';
import { isRemotePostTaken } from './post-owner.ts';
import { SKIPPED } from './record-failure.ts';
import { NO_ERROR } from './row.ts';

export interface DeliveryTarget {
  authorId: string;
  articleId: string;
  destination: DestinationKey;
  now: Date;
}

/** Tries again now: after a failure, in the pause before the next attempt, or after `skip` and `withdraw`, which it cancels. */
export function retryDelivery(db: Database, target: DeliveryTarget): Promise<void> {
  return run(db, target, async (tx, row) => {
    if (row.state === 'delivered' && !row.withdrawRequested)
      throw new RefusedCommandError('NOTHING_TO_RETRY', 'The destination carries the article already.');
    await tx
      .updateTable('deliveries')
      .set({ skippedDispatch: 0, withdrawRequested: false, ...markUnhandled(row), ...chooseRetriedState(row) })
      .set({ updatedAt: target.now })
      .where('id', '=', row.id)
      .execute();
  });
}

/** The row's state until the actor acts on the retry; what waits for a credential, or is not public, keeps its state. */
function chooseRetriedState(row: LockedRow): Partial<Updateable<DB['deliveries']>> {
  if (row.state === 'held') return {};
  // The actor looks for the post from here on; `delivering` keeps the author from settling it meanwhile.
  if (row.open?.action === 'create') return { state: 'delivering', ...NO_ERROR };
  const hasPost = row.remoteId !== null && row.withdrawnAt === null;
  if (row.open !== null || (row.status !== 'PUBLISHED' && !hasPost)) return {};
  return { state: row.remoteId === null ? 'pending' : 'stale', ...NO_ERROR };
}

/** Does not send the present revision there; the next publish is sent again. */
export function skipDelivery(db: Database, target: DeliveryTarget): Promise<void> {
  return run(db, target, async (tx, row) => {
    if (row.state === 'delivered')
      throw new RefusedCommandError('DELIVERED', 'It was delivered already. To take it back, withdraw it.');
    const isUnknown = row.open?.action === 'create';
    const reason = isUnknown
      ? 'Skipped at your request. An earlier attempt may have made a post there: retryDelivery looks for it; or look yourself, and say what you found with settleDelivery.'
      : SKIPPED.lastError;
    await tx
      .updateTable('deliveries')
      .set({
        ...voidPlannedAttempt(row),
        ...SKIPPED,
        lastError: reason,
        state: isUnknown ? 'unknown' : row.remoteId === null ? 'failed' : 'stale',
        skippedDispatch: row.dispatch,
        handledDispatch: row.dispatch,
        updatedAt: target.now,
      })
      .where('id', '=', row.id)
      .execute();
  });
}

/** Sends the article although the remote post was changed by hand; that change is lost. */
export function overwriteDelivery(db: Database, target: DeliveryTarget): Promise<void> {
  return run(db, target, async (tx, row) => {
    if (row.remoteId === null)
      throw new RefusedCommandError('NO_REMOTE_POST', 'There is no post of this article at the destination.');
    await tx
      .updateTable('deliveries')
      .set({
        overwrite: true,
        deliveredHash: null,
        skippedDispatch: 0,
        withdrawRequested: false,
        ...markUnhandled(row),
      })
      .set({ state: row.state === 'held' ? 'held' : 'stale', updatedAt: target.now })
      .where('id', '=', row.id)
      .execute();
    // An update that was sent before this command will find the change and would clear `overwrite`: its record is void, and another one follows.
    if (row.open?.action === 'update' && !row.overwrite) {
      const { number: attempt } = row.open;
      await endAttempt(tx, { deliveryId: row.id, attempt }, { outcome: 'void', now: target.now });
      await tx.updateTable('deliveries').set({ attempts: sql`attempts + 1` }).where('id', '=', row.id).execute();
    }
  });
}

/** Withdraws the remote copy, as far as the platform can; it stays withdrawn until `retry`. */
export function withdrawDelivery(db: Database, target: DeliveryTarget): Promise<void> {
  return run(db, target, async (tx, row) => {
    const isLive = row.remoteId !== null && row.withdrawnAt === null;
    if (!isLive && row.open === null && row.withdrawRequested) return;
    // The author was notified that the platform cannot; another command changes nothing.
    if (row.withdrawRequested && row.lastErrorCode === 'cannot_withdraw') return;
    await tx
      .updateTable('deliveries')
      .set({
        withdrawRequested: true,
        skippedDispatch: 0,
        ...markUnhandled(row),
        ...voidPlannedAttempt(row),
        updatedAt: target.now,
      })
      .set(isLive ? {} : { state: 'stale', ...NO_ERROR })
      .where('id', '=', row.id)
      .execute();
  });
}

/** What the author found at the destination: the post's id and address, or that there is none. */
export type Finding = { remoteId: string; url: string } | null;

export interface Settlement {
  finding: Finding;
  canUpdate: boolean;
  /** How many attempts there were when the author was asked, where that is known: of a later one nothing was found. */
  seenAttempts?: number | undefined;
}

/**
 * Ends an unknown outcome with what the author found. A post that is there becomes ours, and is updated where the platform can. Where there
 * is none, the article is sent again. The attempt's number is raised, so that a late record of the first attempt changes nothing.
 */
export function settleDelivery(db: Database, target: DeliveryTarget, settlement: Settlement): Promise<void> {
  const { finding, canUpdate, seenAttempts } = settlement;
  return run(db, target, async (tx, row) => {
    const { open } = row;
    if (open?.action !== 'create') {
      throw new RefusedCommandError(
        'NOTHING_TO_SETTLE',
        'The outcome of this delivery is known; there is nothing to settle.',
      );
    }
    if (seenAttempts !== undefined && seenAttempts !== row.attempts) {
      const message = 'It was sent again since this page was loaded. Look there once more, and say what you find now.';
      throw new RefusedCommandError('SENT_AGAIN', message);
    }
    if (row.state === 'delivering')
      throw new RefusedCommandError(
        'STILL_TRYING',
        'We are still looking for the post. Settle it once its state is unknown.',
      );
    // It came after its author was asked: the actor records it, and nothing is sent twice.
    if (open.answer?.kind === 'done') return;
    // An attempt has an account.
    const post = { accountId: row.accountId ?? '', exceptDeliveryId: row.id };
    if (finding && (await isRemotePostTaken(tx, { ...post, remoteId: finding.remoteId }))) {
      throw new RefusedCommandError('POST_TAKEN', 'That post belongs to another article.');
    }
    const adopted = finding && {
      remoteId: finding.remoteId,
      remoteUrl: finding.url,
      // The post carries what the attempt sent; a platform that can update gets the present revision.
      deliveredHash: canUpdate ? null : open.contentHash,
      deliveredRevision: open.revision,
      withdrawnAt: null,
      state: canUpdate ? ('stale' as const) : ('delivered' as const),
      handledDispatch: canUpdate ? row.dispatch - 1 : row.dispatch,
    };
    await tx
      .updateTable('deliveries')
      .set({ ...NO_ERROR, skippedDispatch: 0, updatedAt: target.now })
      .set({ attempts: sql<number>`attempts + 1` })
      .set(adopted ?? { state: 'pending', ...markUnhandled(row) })
      .where('id', '=', row.id)
      .execute();
    await endAttempt(tx, { deliveryId: row.id, attempt: open.number }, { outcome: 'settled', now: target.now });
  });
}

type LockedRow = NonNullable<Awaited<ReturnType<typeof lockOwnDelivery>>>;

function run(
  db: Database,
  target: DeliveryTarget,
  command: (tx: Transaction<DB>, row: LockedRow) => Promise<void>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const row = await lockOwnDelivery(tx, target);
    if (!row) throw new RefusedCommandError('NOT_FOUND', 'There is no such delivery among your articles.');
    await command(tx, row);
    await tx.updateTable('articles').set({ dispatchedAt: target.now }).where('id', '=', target.articleId).execute();
    await enqueueDelivery(tx, target.articleId, target.destination);
  });
}

/** `open` is the attempt at its present account whose outcome is open. */
async function lockOwnDelivery(tx: Transaction<DB>, { authorId, articleId, destination }: DeliveryTarget) {
  const row = await tx
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .select(['deliveries.id', 'deliveries.state', 'deliveries.remoteId', 'deliveries.withdrawnAt'])
    .select(['deliveries.accountId', 'deliveries.lastErrorCode', 'deliveries.attempts'])
    .select(['deliveries.handledDispatch', 'deliveries.withdrawRequested', 'deliveries.overwrite'])
    .select(['articles.dispatch', 'articles.status'])
    .where('articles.id', '=', articleId)
    .where('articles.authorId', '=', authorId)
    .where('deliveries.destination', '=', destination)
    .forUpdate('deliveries')
    .executeTakeFirst();
  if (!row) return null;
  const open = await tx
    .selectFrom('deliveryAttempts')
    .select(['number', 'action', 'contentHash', 'revision', 'answer'])
    .where('deliveryId', '=', row.id)
    .where('accountId', '=', row.accountId)
    .where('endedAt', 'is', null)
    .executeTakeFirst();
  return { ...row, open: open ?? null };
}

/** Marks the last publish as not handled, so that the actor acts on it again. */
function markUnhandled(row: LockedRow): { handledDispatch: number } {
  return { handledDispatch: Math.min(row.handledDispatch, row.dispatch - 1) };
}

/** An attempt that was planned before this command must not begin after it; one that has begun is still recorded. */
function voidPlannedAttempt(row: LockedRow) {
  return row.open === null ? { attempts: sql<number>`attempts + 1` } : {};
}
