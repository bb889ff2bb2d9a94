/**
 * What an author decides about one delivery. Each lever changes the row and puts an entry into the outbox in one transaction; the actor is
 * signalled from there, and acts on what the row says then. A lever that is pulled twice does nothing more than once.
 */
import { sql, type Transaction, type Updateable } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { enqueueDelivery } from '../outbox/enqueue.ts';
import { isRemotePostTaken } from './attempts.ts';
import { SKIPPED } from './record-failure.ts';
import { NO_ERROR, NOT_IN_FLIGHT } from './row.ts';

export interface LeverTarget {
  authorId: string;
  articleId: string;
  destination: DestinationKey;
  now: Date;
}

/** Why a lever cannot be pulled; `message` says what can be done instead. */
export class LeverRefusedError extends Error {
  override name = 'LeverRefusedError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Tries again now: after a failure, in the pause before the next attempt, or after `skip` and `withdraw`, whose word this takes back. */
export function retryDelivery(db: Database, target: LeverTarget): Promise<void> {
  return pull(db, target, async (tx, row) => {
    if (row.state === 'delivered' && !row.withdrawRequested)
      throw refused('NOTHING_TO_RETRY', 'The destination carries the article already.');
    await tx
      .updateTable('deliveries')
      .set({ skippedDispatch: 0, withdrawRequested: false, ...unhandled(row), ...retriedState(row) })
      .set({ updatedAt: target.now })
      .where('id', '=', row.id)
      .execute();
  });
}

/** What a row says while its author's retry is on its way; what waits for a credential, or is not public, goes on waiting. */
function retriedState(row: LeverRow): Partial<Updateable<DB['deliveries']>> {
  if (row.state === 'held') return {};
  // From here on it is being found out: nobody settles it meanwhile.
  if (row.inFlightAction === 'create') return { state: 'delivering', ...NO_ERROR };
  const hasPost = row.remoteId !== null && row.withdrawnAt === null;
  if (row.inFlightAction !== null || (row.status !== 'PUBLISHED' && !hasPost)) return {};
  return { state: row.remoteId === null ? 'pending' : 'stale', ...NO_ERROR };
}

/** Does not send the present revision there; the next publish is another matter. */
export function skipDelivery(db: Database, target: LeverTarget): Promise<void> {
  return pull(db, target, async (tx, row) => {
    if (row.state === 'delivered')
      throw refused('DELIVERED', 'It was delivered already. To take it back, withdraw it.');
    const unclear = row.inFlightAction === 'create';
    const reason = unclear
      ? 'Skipped on your word. An earlier attempt may have made a post there: have it found out (retryDelivery), or look, and say what you found (settleDelivery).'
      : SKIPPED.lastError;
    await tx
      .updateTable('deliveries')
      .set({
        ...fence(row),
        ...SKIPPED,
        lastError: reason,
        state: unclear ? 'unknown' : row.remoteId === null ? 'failed' : 'stale',
        skippedDispatch: row.dispatch,
        handledDispatch: row.dispatch,
        updatedAt: target.now,
      })
      .where('id', '=', row.id)
      .execute();
  });
}

/** Sends the article although the remote post was changed by hand, which is lost by it. */
export function overwriteDelivery(db: Database, target: LeverTarget): Promise<void> {
  return pull(db, target, async (tx, row) => {
    if (row.remoteId === null) throw refused('NO_REMOTE_POST', 'There is no post of this article at the destination.');
    await tx
      .updateTable('deliveries')
      .set({ overwrite: true, deliveredHash: null, skippedDispatch: 0, withdrawRequested: false, ...unhandled(row) })
      .set({ state: row.state === 'held' ? 'held' : 'stale', updatedAt: target.now })
      // An update that is on its way without this word finds the change, and would take the word back: another one follows it.
      .$if(row.inFlightAction === 'update' && !row.overwrite, (query) => query.set({ attempts: sql`attempts + 1` }))
      .where('id', '=', row.id)
      .execute();
  });
}

/** Takes the remote copy back, as far as the platform can; it stays away until `retry`. */
export function withdrawDelivery(db: Database, target: LeverTarget): Promise<void> {
  return pull(db, target, async (tx, row) => {
    const live = row.remoteId !== null && row.withdrawnAt === null;
    if (!live && row.inFlightAction === null && row.withdrawRequested) return;
    // Said, and told: asking again changes nothing there.
    if (row.withdrawRequested && row.lastErrorCode === 'cannot_withdraw') return;
    await tx
      .updateTable('deliveries')
      .set({ withdrawRequested: true, skippedDispatch: 0, ...unhandled(row), ...fence(row), updatedAt: target.now })
      .set(live ? {} : { state: 'stale', ...NO_ERROR })
      .where('id', '=', row.id)
      .execute();
  });
}

/** What the author found at the destination: the post's id and address, or that there is none. */
export type Finding = { remoteId: string; url: string } | null;

/**
 * Ends an unknown outcome with what the author found. There: the post is ours, and updated where the platform can. Not there: it is sent
 * again. The attempt's number is raised, so that whatever comes late of the first one changes nothing.
 */
export function settleDelivery(
  db: Database,
  target: LeverTarget,
  settlement: { finding: Finding; canUpdate: boolean },
): Promise<void> {
  const { finding, canUpdate } = settlement;
  return pull(db, target, async (tx, row) => {
    if (row.inFlightAction !== 'create') {
      throw refused('NOTHING_TO_SETTLE', 'The outcome of this delivery is known; there is nothing to settle.');
    }
    if (row.state === 'delivering')
      throw refused('STILL_TRYING', 'It is still being found out. Settle it once it is unknown.');
    if (finding && (await isRemotePostTaken(tx, { ...target, remoteId: finding.remoteId, exceptDeliveryId: row.id }))) {
      throw refused('POST_TAKEN', 'That post belongs to another of your articles.');
    }
    const there = finding && {
      remoteId: finding.remoteId,
      remoteUrl: finding.url,
      // What is there is what the attempt sent; a platform that can update is given the present revision.
      deliveredHash: canUpdate ? null : row.inFlightHash,
      deliveredRevision: row.inFlightRevision,
      withdrawnAt: null,
      state: canUpdate ? ('stale' as const) : ('delivered' as const),
      handledDispatch: canUpdate ? row.dispatch - 1 : row.dispatch,
    };
    await tx
      .updateTable('deliveries')
      .set({ ...NOT_IN_FLIGHT, ...NO_ERROR, skippedDispatch: 0, updatedAt: target.now })
      .set({ attempts: sql<number>`attempts + 1` })
      .set(there ?? { state: 'pending', ...unhandled(row) })
      .where('id', '=', row.id)
      .execute();
  });
}

type LeverRow = NonNullable<Awaited<ReturnType<typeof lockOwnDelivery>>>;

function pull(
  db: Database,
  target: LeverTarget,
  change: (tx: Transaction<DB>, row: LeverRow) => Promise<void>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const row = await lockOwnDelivery(tx, target);
    if (!row) throw refused('NOT_FOUND', 'There is no such delivery among your articles.');
    await change(tx, row);
    await tx.updateTable('articles').set({ dispatchedAt: target.now }).where('id', '=', target.articleId).execute();
    await enqueueDelivery(tx, target.articleId, target.destination);
  });
}

function lockOwnDelivery(tx: Transaction<DB>, { authorId, articleId, destination }: LeverTarget) {
  return tx
    .selectFrom('deliveries')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .select(['deliveries.id', 'deliveries.state', 'deliveries.remoteId', 'deliveries.withdrawnAt'])
    .select(['deliveries.inFlightAction', 'deliveries.inFlightHash', 'deliveries.inFlightRevision'])
    .select('deliveries.lastErrorCode')
    .select(['deliveries.handledDispatch', 'deliveries.withdrawRequested', 'deliveries.overwrite'])
    .select(['articles.dispatch', 'articles.status'])
    .where('articles.id', '=', articleId)
    .where('articles.authorId', '=', authorId)
    .where('deliveries.destination', '=', destination)
    .forUpdate('deliveries')
    .executeTakeFirst();
}

/** As if this publish had never been answered. */
function unhandled(row: LeverRow): { handledDispatch: number } {
  return { handledDispatch: Math.min(row.handledDispatch, row.dispatch - 1) };
}

/** An attempt that was planned before the author's word and has not begun is not begun after it. One that has begun is recorded. */
function fence(row: LeverRow) {
  return row.inFlightAction === null ? { attempts: sql<number>`attempts + 1` } : {};
}

function refused(code: string, message: string): LeverRefusedError {
  return new LeverRefusedError(code, message);
}
