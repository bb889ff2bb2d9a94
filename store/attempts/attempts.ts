/** Reads an article's delivery history: each attempt with its answer and outcome. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

export type AttemptRow = Awaited<ReturnType<typeof listAttempts>>[number];

/** Newest first; empty for an article of another author. */
export function listAttempts(
  db: Kysely<DB>,
  { authorId, articleId, limit }: { authorId: string; articleId: string; limit: number },
) {
  return (
    db
      .selectFrom('deliveryAttempts as t')
      .innerJoin('deliveries as d', 'd.id', 't.deliveryId')
      .innerJoin('articles', 'articles.id', 'd.articleId')
      .innerJoin('deliveryStates as s', (join) =>
        join.onRef('s.articleId', '=', 'articles.id').onRef('s.destination', '=', 'd.destination'),
      )
      .innerJoin('accounts', 'accounts.id', 't.accountId')
      .select(['d.destination', 't.action', 't.revision', 't.startedAt', 't.repeatedAt', 't.wasSent'])
      .select(['t.answeredAt', 't.endedAt', 't.outcome', 't.code', 't.reason'])
      .select(['accounts.platform', 'accounts.name as account'])
      .select(sql<string | null>`t.answer ->> 'kind'`.as('answerKind'))
      .select(sql<string | null>`t.answer ->> 'reason'`.as('answerReason'))
      // Set on the newest attempt of each destination only.
      .select(
        sql<Date | null>`case when t.started_at = max(t.started_at) over (partition by d.id)
          then s.next_attempt_at end`.as('nextAttemptAt'),
      )
      .where('articles.id', '=', articleId)
      .where('articles.authorId', '=', authorId)
      .orderBy('t.startedAt', 'desc')
      .limit(limit)
      .execute()
  );
}
