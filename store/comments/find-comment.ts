/** One comment: where it is shown, and what the one who looks at it may do with it. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { isUuid } from '../db/valid-keys.ts';

/** As many as a page of comments has. */
export const PAGE_LENGTH = 100;
/** Of a comment's place: the time and id of each comment from the first of its thread down to it (migration 0016). */
const STEP_BYTES = 24;

export interface CommentPlace {
  slug: string;
  /** Whether it is among the comments that the article's own page has. */
  isOnFirstPage: boolean;
  /** After this its thread begins; or it begins itself, where the thread before it is too long for a page. */
  before: Buffer;
}

/** Undefined where there is no such comment at a public article. */
export async function findCommentPlace(db: Kysely<DB>, commentId: string): Promise<CommentPlace | undefined> {
  if (!isUuid(commentId)) return undefined;
  const root = sql<Buffer>`substr(c.path, 1, ${STEP_BYTES})`;
  const countFrom = (from: typeof root) => sql<number>`(select count(*) from (select from comments earlier
    where earlier.article_id = c.article_id and earlier.path >= ${from} and earlier.path < c.path limit ${PAGE_LENGTH}) e)`;
  const { rows } = await sql<{ slug: string; path: Buffer; before: number; beforeInThread: number }>`
    select a.slug, c.path, ${countFrom(sql`''::bytea`)} as before, ${countFrom(root)} as before_in_thread
    from comments c join articles a on a.id = c.article_id join users u on u.id = a.author_id
    where c.id = ${commentId} and a.status = 'PUBLISHED' and u.suspended_at is null and a.comments_enabled`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const path = row.beforeInThread < PAGE_LENGTH ? row.path.subarray(0, STEP_BYTES) : row.path;
  // Right before what has this path stands what lacks its last byte.
  return { slug: row.slug, isOnFirstPage: row.before < PAGE_LENGTH, before: path.subarray(0, -1) };
}

/** A comment as one of the two who may do something with it sees it: its writer, and the author of the article. */
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

/** Undefined for anybody else, for one that is deleted, and where the article is not public. */
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

/** What solves the question of an article, as long as everybody can read it. */
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
