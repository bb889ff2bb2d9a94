/** Lists an article's comments for readers, thread by thread, each reply below its parent. */
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
  /** Null if the account is deleted or the text is withheld. */
  authorName: string | null;
  authorUsername: string | null;
  /** Null if withheld: the comment is deleted, or hidden from this viewer. */
  body: string | null;
  html: string | null;
  isQuestion: boolean;
  acceptedAt: Date | null;
  createdAt: Date;
  editedAt: Date | null;
  /** Its position in the threads. A page may begin there even after the comment is removed. */
  path: Buffer;
}

export interface CommentPage {
  articleId: string;
  /** Null for the public. */
  viewerId: string | null;
  first: number;
  /** The path after which the page begins. */
  after: Buffer | null;
}

/**
 * One index scan at any depth. A comment without readable text is listed only while it has replies.
 * Comments of suspended users are withheld like hidden ones.
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

/** Counts the comments that everybody can read. */
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
