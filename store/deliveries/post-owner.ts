/** Whose post it is that a look-up found, or that a platform takes for a duplicate. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

/**
 * Ids of the account's posts that belong to other articles: two articles may have one canonical URL, but not one post. Ids are an account's own:
 * those of two sites overlap. Where two authors are connected to one account, its posts are still one article's each; but whose account it is, a
 * server says of itself, and its word counts for nobody who asked another server.
 */
export async function listOtherPosts(
  db: Kysely<DB>,
  { accountId, exceptDeliveryId }: { accountId: string; exceptDeliveryId: string },
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ remoteId: string }>`
    ${withOwners(accountId)} select remote_id from owners where id <> ${exceptDeliveryId}`.execute(db);
  return new Set(rows.map(({ remoteId }) => remoteId));
}

/** Whether the account's remote post belongs to another article already. */
export async function isRemotePostTaken(
  db: Kysely<DB>,
  { accountId, remoteId, exceptDeliveryId }: { accountId: string; remoteId: string; exceptDeliveryId: string },
): Promise<boolean> {
  const { rows } = await sql`
    ${withOwners(accountId)} select from owners where remote_id = ${remoteId} and id <> ${exceptDeliveryId} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

function withOwners(accountId: string) {
  return sql`
    with same as (
      select k.id from accounts a join accounts k on k.id = a.id
        or (k.identity = a.identity and k.platform = a.platform and k.destination = a.destination and k.origin = a.origin
          and a.identity not like 'unverified:%')
      where a.id = ${accountId}
    ), owners as (
      select id, remote_id from deliveries where account_id in (select id from same) and remote_id is not null
      union all select delivery_id, remote_id from former_posts where account_id in (select id from same)
    )`;
}

/** Whether the post is one that this delivery deleted. */
export async function isFormerPost(db: Kysely<DB>, deliveryId: string, remoteId: string): Promise<boolean> {
  const row = await db
    .selectFrom('deliveries')
    .select('id')
    .where('id', '=', deliveryId)
    .where(sql<boolean>`${remoteId} = any (former_remote_ids)`)
    .executeTakeFirst();
  return row !== undefined;
}
