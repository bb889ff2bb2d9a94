/**
 * What stays at an account when another one is connected in its place: a copy, or an attempt of which nobody knows yet what it made. Its author
 * is told once, by an event that names the copy where there is one.
 */
import { type Kysely, sql, type Transaction } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { DestinationAnswer } from '../../delivery/types.ts';
import type { Database } from '../db/database.ts';
import type { DB } from '../db/types.ts';
import { enqueueDelivery } from '../outbox/enqueue.ts';
import { NO_ERROR, notify, POST_IS_GONE } from './row.ts';

/** What an attempt that was under way may have left. `pending`: the activity that asks may still be at work, and says so when it ends. */
export type Remains = 'post' | 'nothing' | 'unknown' | 'pending';

export function readRemains(answer: DestinationAnswer | null, isUnderWay: boolean): Remains {
  if (answer === null) return isUnderWay ? 'pending' : 'unknown';
  if (answer.kind === 'done') return 'post';
  const mayExist = answer.kind === 'unknown' || (answer.kind === 'rejected' && answer.maybeSaved === true);
  return mayExist ? 'unknown' : 'nothing';
}

export interface LeftDelivery {
  id: string;
  articleId: string;
  authorId: string;
  title: string;
  destination: DestinationKey;
  /** PUBLISHED, and not withdrawn at its author's request. */
  isWanted: boolean;
}

export interface LeftBehind {
  /** Null where the account was never asked who it is. */
  accountName: string | null;
  /** A copy that stands there; null where an attempt may have made one. */
  copy: { url: string | null } | null;
  /** Of the attempt, or of the last one before the change: one event for each. */
  attempt: number;
  now: Date;
}

/** Where this was told before, nothing happens, but that the event names the copy once it is known. */
export async function tellOfLeft(tx: Transaction<DB>, delivery: LeftDelivery, left: LeftBehind): Promise<void> {
  const reason = describeLeft(delivery, left);
  const outcomeKey = `left:${delivery.id}:${left.attempt}`;
  const told = await findTold(tx, outcomeKey);
  if (told && !left.copy) return;
  await tx
    .updateTable('deliveries')
    .set({ lastError: reason })
    .where('id', '=', delivery.id)
    .where('lastErrorCode', '=', ACCOUNT_CHANGED)
    .execute();
  if (!told) await notify(tx, delivery, { outcomeKey, now: left.now }, 'CROSS_POST_FAILED', { reason });
  else {
    const payload = JSON.stringify({ ...told.payload, reason });
    await tx.updateTable('notifications').set({ payload }).where('id', '=', told.id).execute();
  }
}

export const ACCOUNT_CHANGED = 'account_changed';

function describeLeft({ isWanted }: LeftDelivery, { accountName, copy }: LeftBehind): string {
  const account = accountName === null ? 'the account that was connected before' : `the account “${accountName}”`;
  const there = copy?.url ? `The copy at ${copy.url}` : 'The copy';
  const what = copy
    ? `${there} stays live: it is at ${account}, and another account is connected now.`
    : `A post was being made at ${account} when another account was connected. Look there whether it exists.`;
  const next = isWanted
    ? 'Publish again to send the article to the new account.'
    : 'Remove it there, or connect that account again.';
  return `${what} ${next}`;
}

function findTold(tx: Kysely<DB>, dedupeKey: string) {
  return tx.selectFrom('notifications').select(['id', 'payload']).where('dedupeKey', '=', dedupeKey).executeTakeFirst();
}

/**
 * The answer of an attempt came when its delivery had gone to another account. A post that was made is kept with the account at which it
 * stands. Where nothing was made, the delivery goes to the new account by itself.
 */
export async function recordLateAnswer(
  tx: Transaction<DB>,
  { deliveryId, number, answer }: { deliveryId: string; number: number; answer: DestinationAnswer },
): Promise<void> {
  const left = await findLeftAttempt(tx, deliveryId, number);
  if (!left) return;
  const { accountId, accountName, action, ...delivery } = left;
  if (action === 'withdraw') return recordLateWithdrawal(tx, { deliveryId, number, accountId, answer });
  if (action !== 'create') return;
  const remains = readRemains(answer, false);
  const told = { accountName, attempt: number, now: left.now };
  switch (remains) {
    case 'post':
      await keepMadePosts(tx, { deliveryIds: [deliveryId], exceptAccountId: left.presentAccountId });
      return tellOfLeft(tx, delivery, { ...told, copy: { url: readUrl(answer) } });
    case 'nothing':
      await endAsVoid(tx, deliveryId, number);
      return sendToNewAccount(tx, delivery, left.articleId);
    default:
      return tellOfLeft(tx, delivery, { ...told, copy: null });
  }
}

/** An attempt that nobody answered, at an account that is not the delivery's any more, once its workflow has nothing under way. */
export function tellOfUnanswered(db: Database, deliveryId: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ number: number }>`
      select t.number from deliveries d join delivery_attempts t on t.delivery_id = d.id
      where d.id = ${deliveryId} and t.account_id <> d.account_id and t.action = 'create' and t.ended_at is null
      order by t.number for update of d`.execute(tx);
    for (const { number } of rows) {
      const left = await findLeftAttempt(tx, deliveryId, number);
      if (left) await tellOfLeft(tx, left, { ...left, copy: null, attempt: number });
    }
  });
}

async function findLeftAttempt(tx: Transaction<DB>, deliveryId: string, number: number) {
  return tx
    .selectFrom('deliveryAttempts')
    .innerJoin('deliveries', 'deliveries.id', 'deliveryAttempts.deliveryId')
    .innerJoin('articles', 'articles.id', 'deliveries.articleId')
    .innerJoin('accounts', 'accounts.id', 'deliveryAttempts.accountId')
    .select([
      'deliveries.id',
      'deliveries.destination',
      'articles.id as articleId',
      'articles.authorId',
      'articles.title',
    ])
    .select(['deliveryAttempts.accountId', 'deliveryAttempts.action', 'accounts.name as accountName'])
    .select(sql<string>`deliveries.account_id`.as('presentAccountId'))
    .select(sql<boolean>`articles.status = 'PUBLISHED' and not deliveries.withdraw_requested`.as('isWanted'))
    .select(sql<Date>`clock_timestamp()`.as('now'))
    .where('deliveryAttempts.deliveryId', '=', deliveryId)
    .where('deliveryAttempts.number', '=', number)
    .whereRef('deliveryAttempts.accountId', '!=', 'deliveries.accountId')
    .executeTakeFirst();
}

function readUrl(answer: DestinationAnswer): string | null {
  return answer.kind === 'done' ? (answer.remote?.url ?? null) : null;
}

/** Posts that attempts made at other accounts than the one that is connected now: they are taken up again when their account returns. */
export async function keepMadePosts(
  tx: Transaction<DB>,
  { deliveryIds, exceptAccountId }: { deliveryIds: string[]; exceptAccountId: string },
): Promise<void> {
  await sql`
    with made as (
      update delivery_attempts t set outcome = 'delivered', ended_at = clock_timestamp()
      where t.delivery_id = any(${deliveryIds}) and t.account_id <> ${exceptAccountId} and t.action = 'create' and t.ended_at is null and t.answer ->> 'kind' = 'done'
      returning t.*
    )
    insert into former_posts (delivery_id, account_id, remote_id, remote_url, remote_changed_at, delivered_hash, delivered_revision)
    select delivery_id, account_id, answer #>> '{remote,remoteId}', answer #>> '{remote,url}', answer #>> '{remote,changedAt}',
      content_hash, revision from made
    on conflict (delivery_id, account_id) do nothing`.execute(tx);
}

/**
 * Hidden or gone: no live copy is left there. Unless the article was published again over that account before its answer came: an update waits
 * until a withdrawal cannot arrive any more, so what it did is the later change. Where it did nothing, a copy is named that is not live, which
 * is better than one that nobody is told of; its account's return puts that right.
 */
async function recordLateWithdrawal(
  tx: Transaction<DB>,
  {
    deliveryId,
    number,
    accountId,
    answer,
  }: { deliveryId: string; number: number; accountId: string; answer: DestinationAnswer },
): Promise<void> {
  if (answer.kind !== 'done') return;
  const hidden = await tx
    .updateTable('formerPosts')
    .set({ withdrawnAt: sql<Date>`clock_timestamp()`, remoteChangedAt: null })
    .where('deliveryId', '=', deliveryId)
    .where('accountId', '=', accountId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveryAttempts as later')
            .select('later.number')
            .where('later.deliveryId', '=', deliveryId)
            .where('later.accountId', '=', accountId)
            .where('later.number', '>', number)
            .where('later.action', '!=', 'withdraw'),
        ),
      ),
    )
    .returning('remoteId')
    .executeTakeFirst();
  if (hidden && answer.deleted) await keepDeletedPosts(tx, [{ deliveryId, remoteId: hidden.remoteId }]);
}

/**
 * Its account had gone and returned before the answer came, so the attempt was made void and the post was taken up again; it is gone for good. A later
 * attempt there finds that out by itself.
 */
export async function recordLateDeletion(
  tx: Transaction<DB>,
  { deliveryId, number }: { deliveryId: string; number: number },
): Promise<void> {
  const rows = await tx
    .updateTable('deliveries')
    .from('articles')
    .set({ ...NO_ERROR, ...POST_IS_GONE, state: 'stale', remoteChangedAt: null, overwrite: false })
    .set({ withdrawnAt: sql<Date>`clock_timestamp()`, updatedAt: sql<Date>`clock_timestamp()` })
    .set({ handledDispatch: sql<number>`least(handled_dispatch, articles.dispatch - 1)` })
    .whereRef('articles.id', '=', 'deliveries.articleId')
    .where('deliveries.id', '=', deliveryId)
    .where('remoteId', 'is not', null)
    .where(
      sql<boolean>`not exists (select from delivery_attempts t
        where t.delivery_id = deliveries.id and t.account_id = deliveries.account_id and t.number > ${number})`,
    )
    .returning(['deliveries.articleId', 'deliveries.destination'])
    .execute();
  // It may be wanted again by now, and its workflow may have ended with the post that it took to be there.
  for (const { articleId, destination } of rows) await enqueueDelivery(tx, articleId, destination);
}

/**
 * Posts that are gone for good at accounts that are not the delivery's any more: with their account they do not return, and a platform may still call
 * another one their duplicate.
 */
export async function keepDeletedPosts(
  tx: Transaction<DB>,
  deleted: readonly { deliveryId: string; remoteId: string }[],
): Promise<void> {
  for (const { deliveryId, remoteId } of deleted) {
    await tx
      .updateTable('deliveries')
      .set({ formerRemoteIds: sql<string[]>`array_append(former_remote_ids, ${remoteId})` })
      .where('id', '=', deliveryId)
      .where(sql<boolean>`${remoteId} <> all (former_remote_ids)`)
      .execute();
  }
}

async function endAsVoid(tx: Transaction<DB>, deliveryId: string, number: number): Promise<void> {
  await tx
    .updateTable('deliveryAttempts')
    .set({ outcome: 'void', endedAt: sql<Date>`clock_timestamp()` })
    .where('deliveryId', '=', deliveryId)
    .where('number', '=', number)
    .where('endedAt', 'is', null)
    .execute();
}

async function sendToNewAccount(tx: Transaction<DB>, { id, destination }: LeftDelivery, articleId: string) {
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ state: 'pending', lastError: null, lastErrorCode: null, handledDispatch: sql`handled_dispatch - 1` })
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .where('lastErrorCode', '=', ACCOUNT_CHANGED)
    .where('remoteId', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await enqueueDelivery(tx, articleId, destination);
}
