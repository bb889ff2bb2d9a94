/** Whose post it is that a look-up found, or that a platform takes for a duplicate. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

interface Asked {
  accountId: string;
  articleId: string;
}

/**
 * Ids of the account's posts that belong to other articles: two articles may have one canonical URL, but not one post. Ids are an account's own:
 * those of two sites overlap. Where two authors are connected to one account, its posts are still one article's each; but whose account it is, a
 * server says of itself, and its word counts for nobody who asked another server.
 */
export async function listOtherPosts(db: Kysely<DB>, { accountId, articleId }: Asked): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ remoteId: string }>`${selectPosts(accountId)} and c.article_id <> ${articleId}`.execute(
    db,
  );
  return new Set(rows.map(({ remoteId }) => remoteId));
}

/** Whether the account's remote post belongs to another article already. */
export async function isRemotePostTaken(
  db: Kysely<DB>,
  { remoteId, accountId, articleId }: Asked & { remoteId: string },
) {
  const { rows } =
    await sql`${selectPosts(accountId)} and c.article_id <> ${articleId} and c.remote_id = ${remoteId} limit 1`.execute(
      db,
    );
  return rows.length > 0;
}

function selectPosts(accountId: string) {
  return sql`
    select c.remote_id from accounts a join accounts k on k.id = a.id
      or (k.identity = a.identity and k.platform = a.platform and k.destination = a.destination and k.origin = a.origin
        and a.identity not like 'unverified:%')
    join copies c on c.account_id = k.id
    where a.id = ${accountId} and c.remote_id is not null and c.presence <> 'deleted'`;
}

/** Whether the post is one that this article had at the account, and that was deleted. */
export async function isFormerPost(db: Kysely<DB>, { remoteId, accountId, articleId }: Asked & { remoteId: string }) {
  const row = await db
    .selectFrom('copies')
    .select('id')
    .where('articleId', '=', articleId)
    .where('accountId', '=', accountId)
    .where('remoteId', '=', remoteId)
    .where('presence', '=', 'deleted')
    .executeTakeFirst();
  return row !== undefined;
}
