/**
 * The outbox: an article that changed, or an author's decision about one delivery, in the same transaction as the change, until its actor
 * was told. A row is leased
 * by committing a time, not by holding a lock, so that no HTTP call sits inside a transaction. A dispatcher that dies
 * leaves a lease that expires; the actor may then be told twice, which it bears.
 */
import { sql } from 'kysely';
import type { DestinationKey } from '../../article/types.ts';
import type { Database } from '../db/database.ts';

export interface OutboxEntry {
  id: number;
  articleId: string;
  dispatch: number;
  slug: string;
  username: string;
  /** Set where the actor of one delivery is to be told of a decision, not the article's. */
  destination: DestinationKey | null;
}

/** Takes up to `limit` entries that nobody holds, oldest first, for `leaseMs`. */
export async function leaseOutbox(db: Database, options: { limit: number; leaseMs: number }): Promise<OutboxEntry[]> {
  const result = await sql<OutboxEntry>`
    with free as (
      select id from outbox
      where leased_until is null or leased_until < now()
      order by id limit ${options.limit} for update skip locked
    ), leased as (
      update outbox set leased_until = now() + make_interval(secs => ${options.leaseMs / 1000}), attempts = attempts + 1
      from free where outbox.id = free.id
      returning outbox.id, outbox.article_id, outbox.destination
    )
    select leased.id, leased.article_id, leased.destination, articles.dispatch, articles.slug, users.username
    from leased join articles on articles.id = leased.article_id join users on users.id = articles.author_id
    order by leased.id`.execute(db);
  return result.rows;
}

export async function removeFromOutbox(db: Database, ids: number[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('outbox').where('id', 'in', ids).execute();
}

/** Gives entries back, with what went wrong. Each waits longer than the last time, so that one that is always refused does not stand before the rest. */
export async function returnToOutbox(db: Database, ids: number[], error: string): Promise<void> {
  if (ids.length === 0) return;
  await sql`update outbox set last_error = ${error.slice(0, 500)},
      leased_until = now() + least(interval '5 minutes', interval '1 second' * power(2, least(attempts, 10) - 1))
    where id in (${sql.join(ids)})`.execute(db);
}
