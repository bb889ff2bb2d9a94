/** Every attempt at an article's destinations: what was sent, what came back, and what that meant. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';
import { isSaidOfAttempt } from './end-attempt.ts';

export type AttemptRow = Awaited<ReturnType<typeof listAttempts>>[number];

/** Of one's own article, the newest first. */
export function listAttempts(
  db: Kysely<DB>,
  { authorId, articleId, limit }: { authorId: string; articleId: string; limit: number },
) {
  return (
    db
      .selectFrom('deliveryAttempts')
      .innerJoin('deliveries', 'deliveries.id', 'deliveryAttempts.deliveryId')
      .innerJoin('articles', 'articles.id', 'deliveries.articleId')
      .innerJoin('accounts', 'accounts.id', 'deliveryAttempts.accountId')
      .select(['deliveries.destination', 'deliveryAttempts.number', 'deliveryAttempts.action'])
      .select(['deliveryAttempts.revision', 'deliveryAttempts.startedAt', 'deliveryAttempts.repeatedAt'])
      .select(['deliveryAttempts.answeredAt', 'deliveryAttempts.endedAt', 'deliveryAttempts.outcome'])
      .select(['deliveryAttempts.code', 'deliveryAttempts.reason', 'accounts.platform', 'accounts.name as account'])
      .select(sql<string | null>`delivery_attempts.answer ->> 'kind'`.as('answerKind'))
      .select(sql<string | null>`delivery_attempts.answer ->> 'reason'`.as('answerReason'))
      // Of the newest attempt there: when the next one follows.
      .select(
        sql<Date | null>`case when delivery_attempts.number = max(delivery_attempts.number) over (partition by deliveries.id)
        then deliveries.next_attempt_at end`.as('nextAttemptAt'),
      )
      // Of an attempt that was lost before it was answered: what is known of that.
      .select(
        sql<string | null>`(select d.last_error from deliveries d join delivery_attempts t on t.delivery_id = d.id
        where t.delivery_id = delivery_attempts.delivery_id and t.number = delivery_attempts.number and t.account_id = d.account_id
        and d.state in ('delivering', 'held', 'unknown') and t.ended_at is null and t.answer is null and ${isSaidOfAttempt})`.as(
          'lost',
        ),
      )
      .where('articles.id', '=', articleId)
      .where('articles.authorId', '=', authorId)
      .orderBy('deliveryAttempts.startedAt', 'desc')
      .orderBy('deliveryAttempts.number', 'desc')
      .limit(limit)
      .execute()
  );
}
