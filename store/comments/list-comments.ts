/** The comments of an article as its readers see them: thread after thread, every reply below what it answers. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

export type CommentState = 'visible' | 'hidden' | 'deleted';

export interface ListedComment {
  id: string;
  articleId: string;
  parentId: string | null;
  /** 0 for a comment on the article itself. */
  depth: number;
  state: CommentState;
  /** Null once the account is gone, or where the words are withheld. */
  authorName: string | null;
  authorUsername: string | null;
  /** Null where the words are withheld: deleted, or hidden and not the viewer's to see. */
  body: string | null;
  html: string | null;
  isQuestion: boolean;
  acceptedAt: Date | null;
  createdAt: Date;
  editedAt: Date | null;
  /** Its place in the article's threads, where a page may begin even if the comment is removed. */
  path: Buffer;
}

export interface CommentPage {
  articleId: string;
  /** Who asks; null for the public. */
  viewerId: string | null;
  first: number;
  /** The place after which the page begins. */
  after: Buffer | null;
}

/**
 * In one index scan, whatever the depth. A comment whose words are withheld is there as long as it holds replies together. What a suspended
 * person wrote is withheld like what is hidden.
 */
export async function listComments(db: Kysely<DB>, page: CommentPage): Promise<ListedComment[]> {
  const { articleId, viewerId, first, after } = page;
  const from = after === null ? sql`` : sql`and c.path > ${after}`;
  const { rows } = await sql<ListedComment>`
    select c.id, c.article_id, c.parent_id, c.depth, c.created_at, c.path,
      case when c.deleted_at is not null then 'deleted' when withheld then 'hidden' else 'visible' end as state,
      case when readable then u.name end as author_name,
      case when readable then u.username end as author_username,
      case when readable then c.body end as body,
      case when readable then c.html end as html,
      readable and c.is_question as is_question,
      case when readable then c.accepted_at end as accepted_at,
      case when readable then c.edited_at end as edited_at
    from comments c
      join articles a on a.id = c.article_id
      left join users u on u.id = c.user_id
      cross join lateral (select c.hidden_at is not null or u.suspended_at is not null as withheld) w
      cross join lateral (
        select c.deleted_at is null
          and (not withheld or coalesce(${viewerId}::uuid in (c.user_id, a.author_id), false)) as readable
      ) r
    where c.article_id = ${articleId} ${from}
      and (readable or exists (select 1 from comments reply where reply.parent_id = c.id))
    order by c.path limit ${first}`.execute(db);
  return rows;
}

/** Those that anybody can read. */
export async function countComments(db: Kysely<DB>, articleId: string): Promise<number> {
  const { count } = await db
    .selectFrom('comments')
    .leftJoin('users', 'users.id', 'comments.userId')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('comments.articleId', '=', articleId)
    .where('comments.deletedAt', 'is', null)
    .where('comments.hiddenAt', 'is', null)
    .where('users.suspendedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}
