/** Finds one comment: its position on the pages, and its details for those who manage it. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { isUuid } from '../db/valid-keys.ts';

/** Comments per page. */
export const COMMENT_PAGE_LENGTH = 100;
/** Bytes per level of a comment's path: time and id of each comment from the root. */
const STEP_BYTES = 24;

export interface CommentPosition {
  slug: string;
  /** Whether it is among the comments on the article's own page. */
  isOnFirstPage: boolean;
  /** Cursor before its thread, or before the comment if a page cannot hold the thread up to it. */
  before: Buffer;
}

/** Undefined if no public article has this comment. */
export async function findCommentPosition(db: Kysely<DB>, commentId: string): Promise<CommentPosition | undefined> {
  if (!isUuid(commentId)) return undefined;
  const root = sql<Buffer>`substr(c.path, 1, ${STEP_BYTES})`;
  const countFrom = (from: typeof root) => sql<number>`(select count(*) from (select from comments earlier
    where earlier.article_id = c.article_id and earlier.path >= ${from} and earlier.path < c.path limit ${COMMENT_PAGE_LENGTH}) e)`;
  const { rows } = await sql<{ slug: string; path: Buffer; before: number; beforeInThread: number }>`
    select a.slug, c.path, ${countFrom(sql`''::bytea`)} as before, ${countFrom(root)} as before_in_thread
    from comments c join articles a on a.id = c.article_id join users u on u.id = a.author_id
    where c.id = ${commentId} and a.status = 'PUBLISHED' and u.suspended_at is null and a.comments_enabled`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const path = row.beforeInThread < COMMENT_PAGE_LENGTH ? row.path.subarray(0, STEP_BYTES) : row.path;
  // A path without its last byte sorts directly before the path itself.
  return { slug: row.slug, isOnFirstPage: row.before < COMMENT_PAGE_LENGTH, before: path.subarray(0, -1) };
}

/** A comment as its writer or the author of the article sees it. */
export interface ManagedComment {
  id: string;
  slug: string;
  articleTitle: string;
  isOwn: boolean;
  isArticleAuthor: boolean;
  authorName: string | null;
  body: string;
  html: string;
  isQuestion: boolean;
  acceptedAt: Date | null;
  hiddenAt: Date | null;
  commentsOpen: boolean;
}

/** Undefined for other viewers, for a deleted comment, and if the article is not public. */
export async function findManagedComment(
  db: Kysely<DB>,
  { commentId, viewerId }: { commentId: string; viewerId: string },
): Promise<ManagedComment | undefined> {
  if (!isUuid(commentId)) return undefined;
  return db
    .selectFrom('comments as c')
    .innerJoin('articles as a', 'a.id', 'c.articleId')
    .innerJoin('users as author', 'author.id', 'a.authorId')
    .leftJoin('users as writer', 'writer.id', 'c.userId')
    .select(['c.id', 'c.body', 'c.html', 'c.isQuestion', 'c.acceptedAt', 'c.hiddenAt'])
    .select(['a.slug', 'a.title as articleTitle', 'writer.name as authorName'])
    .select((eb) => [
      eb.fn
        .coalesce(eb('c.userId', '=', viewerId), eb.lit(false))
        .$castTo<boolean>()
        .as('isOwn'),
      eb('a.authorId', '=', viewerId).$castTo<boolean>().as('isArticleAuthor'),
      eb
        .and([eb('a.commentsEnabled', '=', true), eb('a.commentsLockedAt', 'is', null)])
        .$castTo<boolean>()
        .as('commentsOpen'),
    ])
    .where('c.id', '=', commentId)
    .where('c.deletedAt', 'is', null)
    .where('a.status', '=', 'PUBLISHED')
    .where('author.suspendedAt', 'is', null)
    .where((eb) => eb.or([eb('c.userId', '=', viewerId), eb('a.authorId', '=', viewerId)]))
    .executeTakeFirst();
}

export interface AcceptedAnswer {
  id: string;
  authorName: string | null;
}

/** The accepted answer of an article, if everybody can read it. */
export async function findAcceptedAnswer(db: Kysely<DB>, articleId: string): Promise<AcceptedAnswer | undefined> {
  return db
    .selectFrom('comments')
    .leftJoin('users', 'users.id', 'comments.userId')
    .select(['comments.id', 'users.name as authorName'])
    .where('comments.articleId', '=', articleId)
    .where('comments.acceptedAt', 'is not', null)
    .where('comments.deletedAt', 'is', null)
    .where('comments.hiddenAt', 'is', null)
    .where('users.suspendedAt', 'is', null)
    .executeTakeFirst();
}
