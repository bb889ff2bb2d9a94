/** What a series consists of, and in which order, as its author says by a command. */
import { sql } from 'kysely';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import { isUuid } from '../db/valid-keys.ts';
import { lockAccount } from '../users/lock-account.ts';
import { requireOwnSeries, type SeriesTarget } from './series.ts';

/**
 * The given articles come first, in this order, and join where they were not part of it; what else is part of it follows in the order that it
 * had, so that an order made from an older list drops nothing. Throws NOT_FOUND, BAD_INPUT, UNAUTHENTICATED, and then nothing was changed.
 */
export function orderSeries(
  db: Database,
  { articleIds: given, ...target }: SeriesTarget & { articleIds: readonly string[] },
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { authorId, seriesId } = target;
    await lockAccount(tx, authorId);
    await requireOwnSeries(tx, target);
    const articleIds = given.map((id) => id.toLowerCase());
    if (new Set(articleIds).size < articleIds.length) {
      throw new RefusedCommandError('BAD_INPUT', 'An article is named twice.', 'articleIds');
    }
    const own = articleIds.every(isUuid)
      ? await tx
          .selectFrom('articles')
          .select('id')
          .where('id', '=', sql<string>`any(${articleIds}::uuid[])`)
          .where('authorId', '=', authorId)
          .where('deletedAt', 'is', null)
          .execute()
      : [];
    if (own.length < articleIds.length) {
      throw new RefusedCommandError('NOT_FOUND', 'One of these articles is not among yours.', 'articleIds');
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

/** Does nothing to an article that is part of none. Throws NOT_FOUND for anybody else's, UNAUTHENTICATED. */
export function removeFromSeries(
  db: Database,
  { authorId, articleId }: { authorId: string; articleId: string },
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, authorId);
    const left = isUuid(articleId)
      ? await tx
          .updateTable('articles')
          .set({ partOf: null, partPosition: null })
          .where('id', '=', articleId)
          .where('authorId', '=', authorId)
          .where('deletedAt', 'is', null)
          .returning('id')
          .executeTakeFirst()
      : undefined;
    if (!left) throw new RefusedCommandError('NOT_FOUND', 'There is no such article among yours.', 'articleId');
  });
}
