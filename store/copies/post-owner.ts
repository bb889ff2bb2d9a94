/** Decides which article owns a post that a look-up or a duplicate check returned. */
import { type Kysely, sql } from 'kysely';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import { isUniqueViolation } from '../db/pg-errors.ts';
import type { DB } from '../db/types.ts';

interface AccountArticle {
  accountId: string;
  articleId: string;
}

/**
 * Returns ids of the account's posts that belong to other articles: two articles can share a
 * canonical URL, but not a post. Includes other authors connected to the same account at the same
 * server: a server's statement about an identity does not apply to another server.
 */
export async function listOtherPosts(
  db: Kysely<DB>,
  { accountId, articleId }: AccountArticle,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ remoteId: string }>`${selectPosts(accountId)} and c.article_id <> ${articleId}`.execute(
    db,
  );
  return new Set(rows.map(({ remoteId }) => remoteId));
}

/** Null if the database was never restored from a backup. */
export async function listRestoredAddresses(db: Kysely<DB>, { accountId, articleId }: AccountArticle, siteUrl: string) {
  const { rows } = await sql<{ slug: string; isOwn: boolean }>`
    select s.slug, a.id = ${articleId} as "isOwn"
    from articles a cross join lateral (select a.slug union select r.slug from slug_redirects r where r.article_id = a.id) s
    where exists (select from restores)
      and (a.id = ${articleId} or a.author_id in (select k.user_id from ${sameAccounts(accountId)}))`.execute(db);
  const list = (ofArticle: boolean) =>
    rows.filter(({ isOwn }) => isOwn === ofArticle).map(({ slug }) => buildArticleUrl(siteUrl, slug));
  return rows.length === 0 ? null : { siteUrl, formerUrls: list(true), otherUrls: list(false) };
}

function selectPosts(accountId: string) {
  return sql`
    select c.remote_id from ${sameAccounts(accountId)} join copies c on c.account_id = k.id
    where c.remote_id is not null`;
}

/** `k`: the rows of the account, including those of other authors connected to it. */
function sameAccounts(accountId: string) {
  return sql`accounts a0 join accounts k on a0.id = ${accountId} and (k.id = a0.id
    or (k.identity = a0.identity and k.platform = a0.platform and k.destination = a0.destination and k.origin = a0.origin))`;
}

/** Whether a write failed because another copy at the account has the same remote id. */
export function isPostTaken(error: unknown): boolean {
  return isUniqueViolation(error, 'copies_account_id_remote_id_key');
}

/** Whether the post was a copy of this article and was deleted. */
export async function isFormerPost(
  db: Kysely<DB>,
  { remoteId, accountId, articleId }: AccountArticle & { remoteId: string },
) {
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
