/** Reads delivery states from the view `delivery_states`, for pages and the API. */
import { type Kysely, sql } from 'kysely';
import { describeError } from '../../delivery/describe-error.ts';
import type { DB } from '../db/types.ts';

/** Existing deliveries; the caller adds a condition on `s`. */
export function selectStates(db: Kysely<DB>) {
  return db
    .selectFrom('deliveryStates as s')
    .select(['s.articleId', 's.destination', 's.state', 's.presence', 's.remoteId', 's.remoteUrl', 's.withdrawnAt'])
    .select(['s.deliveredRevision', 's.errorCode', 's.nextAttemptAt', 's.platform', 's.account', 's.shouldBeWithdrawn'])
    .select([
      's.openReason',
      's.lastReason',
      's.statusReason',
      's.hasLiveCopy',
      's.connectionStatus',
      's.connectedPlatform',
    ])
    .where('s.deliveryId', 'is not', null)
    .orderBy('s.destination');
}

/** Sent attempts at all accounts of the destination. */
export const sentAttempts = sql<number>`(select count(*)::int from delivery_attempts t
  where t.delivery_id = s.delivery_id and t.was_sent)`;

/** Adds `error`: the author's message, or null. */
export function addErrorMessages<Row extends Parameters<typeof describeError>[0]>(rows: readonly Row[]) {
  return rows.map((row) => ({ ...row, error: describeError(row) }));
}

/**
 * A condition on a row of `articles`. Checks only due, open and failed deliveries against the view,
 * because they are few. `offset 0` prevents PostgreSQL from computing states of other authors.
 */
export const needsAuthor = sql<boolean>`exists (select from deliveries d cross join lateral (
    select s.needs_author from delivery_states s where s.article_id = d.article_id and s.destination = d.destination offset 0) state
  where d.article_id = articles.id and state.needs_author and (d.due_at is not null
    or exists (select from delivery_attempts t where t.delivery_id = d.id and (t.ended_at is null or t.outcome = 'failed')))
  offset 0)`;

export async function countNeedingAuthor(db: Kysely<DB>, authorId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from (select from articles
    where author_id = ${authorId} and deleted_at is null and ${needsAuthor} limit ${limit}) needing`.execute(db);
  return rows[0]?.count ?? 0;
}
