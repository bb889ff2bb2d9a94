/** Orders the parts of a series, and adds and removes parts. */
import { sql } from 'kysely';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import { isUuid } from '../db/valid-keys.ts';
import { lockUser } from '../users/lock-user.ts';
import { requireOwnSeries, type SeriesTarget } from './series.ts';

/**
 * Puts the listed articles first, in this order, and adds those that are not parts yet. Other parts
 * follow in their present order, so that an outdated list drops none. Throws NOT_FOUND, BAD_INPUT,
 * UNAUTHENTICATED without changes.
 */
export function orderSeries(
  db: Database,
  { articleIds: requestedIds, ...target }: SeriesTarget & { articleIds: readonly string[] },
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { authorId, seriesId } = target;
    await lockUser(tx, authorId);
    await requireOwnSeries(tx, target);
    const articleIds = requestedIds.map((id) => id.toLowerCase());
    if (new Set(articleIds).size < articleIds.length) {
      throw new RefusedCommandError('BAD_INPUT', 'An article is listed twice.', 'articleIds');
    }
    const ownArticles = articleIds.every(isUuid)
      ? await tx
          .selectFrom('articles')
          .select('id')
          .where('id', '=', sql<string>`any(${articleIds}::uuid[])`)
          .where('authorId', '=', authorId)
          .where('deletedAt', 'is', null)
          .execute()
      : [];
    if (ownArticles.length < articleIds.length) {
      throw new RefusedCommandError('NOT_FOUND', 'One of these articles is not yours.', 'articleIds');
    }
    await sql`
      with parts as (
        select a.id, row_number() over (order by g.place nulls last, a.part_position, a.created_at, a.id) as position
        from articles a left join unnest(${articleIds}::uuid[]) with ordinality as g (id, place) on g.id = a.id
        where a.author_id = ${authorId} and (g.id is not null or a.part_of = ${seriesId}::uuid)
      )
      update articles set part_of = ${seriesId}, part_position = parts.position
      from parts where articles.id = parts.id`.execute(tx);
  });
}

/**
 * Does nothing if the article is in no series. Throws NOT_FOUND for another author's,
 * UNAUTHENTICATED.
 */
export function removeFromSeries(
  db: Database,
  { authorId, articleId }: { authorId: string; articleId: string },
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, authorId);
    const updated = isUuid(articleId)
      ? await tx
          .updateTable('articles')
          .set({ partOf: null, partPosition: null })
          .where('id', '=', articleId)
          .where('authorId', '=', authorId)
          .where('deletedAt', 'is', null)
          .returning('id')
          .executeTakeFirst()
      : undefined;
    if (!updated) throw new RefusedCommandError('NOT_FOUND', 'You have no such article.', 'articleId');
  });
}
