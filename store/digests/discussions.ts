/**
 * The discussions in a digest: unanswered questions and busy articles. Rules:
 * docs/internals/digest.md.
 */
import { type Kysely, sql } from 'kysely';
import { cutAtWord } from '../../article/describe/cut-text.ts';
import { buildArticleUrl } from '../../article/identity/slug.ts';
import { cleanLine } from '../../article/text/clean-text.ts';
import type { DB } from '../db/types.ts';
import { isNotSuspended } from '../users/suspensions.ts';

export interface DigestDiscussion {
  /** The article's title. */
  title: string;
  url: string;
  reason: 'engaged' | 'pending';
  /** `pending`: replies so far, at any depth; `engaged`: comments in these days. */
  comments: number;
  excerpt: string;
}

export interface DiscussionRequest {
  authorId: string;
  from: Date;
  end: Date;
  baseUrl: string;
}

const MAX_LISTED = 5;
/** Entries reserved for busy discussions, however many questions there are. */
const RESERVED_FOR_ENGAGED = 2;
/** Older unanswered questions are left out. */
const MAX_QUESTION_AGE_DAYS = 30;
const MIN_ENGAGED_COMMENTS = 3;
const MIN_ENGAGED_PEOPLE = 2;
const MAX_EXCERPT_LENGTH = 160;

interface Row {
  title: string;
  slug: string;
  comments: number;
  text: string;
  questionId: string | null;
}

export async function findDiscussions(db: Kysely<DB>, request: DiscussionRequest): Promise<DigestDiscussion[]> {
  const [pending, engaged] = await Promise.all([findPending(db, request), findEngaged(db, request)]);
  const questions = pending.slice(0, MAX_LISTED - Math.min(RESERVED_FOR_ENGAGED, engaged.length));
  return [...questions, ...engaged].slice(0, MAX_LISTED).map(({ title, slug, comments, text, questionId }) => ({
    title,
    url: `${buildArticleUrl(request.baseUrl, slug)}#${questionId === null ? 'comments' : `comment-${questionId}`}`,
    reason: questionId === null ? 'engaged' : 'pending',
    comments,
    excerpt: cutAtWord(cleanLine(text), MAX_EXCERPT_LENGTH),
  }));
}

/**
 * Other users' questions without a reply of the author or an accepted reply at any depth, newest
 * first. A thread continues below a reply that is deleted, hidden or a suspended user's.
 */
async function findPending(db: Kysely<DB>, { authorId, end }: DiscussionRequest): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select a.title, a.slug, left(q.body, 2000) as text, q.id as question_id, thread.comments
    from articles a join comments q on q.article_id = a.id cross join lateral (
      with recursive reply as (
        select id, user_id, accepted_at, deleted_at, hidden_at from comments where parent_id = q.id
        union
        select c.id, c.user_id, c.accepted_at, c.deleted_at, c.hidden_at from reply join comments c on c.parent_id = reply.id
      )
      select count(*) as comments,
        coalesce(bool_or(user_id = ${authorId} or accepted_at is not null), false) as answered
      from reply where deleted_at is null and hidden_at is null and ${isNotSuspended('reply.userId')}
    ) thread
    where a.author_id = ${authorId} and a.status = 'PUBLISHED' and a.comments_enabled
      and q.is_question and q.deleted_at is null and q.hidden_at is null and q.user_id is distinct from ${authorId}
      and ${isNotSuspended('q.userId')}
      and q.created_at >= ${end}::timestamptz - make_interval(days => ${MAX_QUESTION_AGE_DAYS}) and q.created_at < ${end}
      and not thread.answered
    order by q.created_at desc, q.id limit ${MAX_LISTED}`.execute(db);
  return rows;
}

/** Articles with several comments by several other users, the busiest first, with the newest. */
async function findEngaged(db: Kysely<DB>, { authorId, from, end }: DiscussionRequest): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select a.title, a.slug, talk.comments, talk.text, null as question_id
    from articles a join lateral (
      select count(*) as comments, count(distinct c.user_id) as people, max(c.created_at) as last,
        (array_agg(left(c.body, 2000) order by c.created_at desc))[1] as text
      from comments c
      where c.article_id = a.id and c.deleted_at is null and c.hidden_at is null and c.user_id is distinct from ${authorId}
        and ${isNotSuspended('c.userId')} and c.created_at >= ${from} and c.created_at < ${end}
    ) talk on true
    where a.author_id = ${authorId} and a.status = 'PUBLISHED' and a.comments_enabled
      and talk.comments >= ${MIN_ENGAGED_COMMENTS} and talk.people >= ${MIN_ENGAGED_PEOPLE}
    order by talk.comments desc, talk.last desc, a.id limit ${MAX_LISTED}`.execute(db);
  return rows;
}
