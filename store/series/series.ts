/** Creates, renames and deletes series, each under the lock on the author's row, as a publish. */
import { sql, type Transaction } from 'kysely';
import { buildTitleKey } from '../../article/identity/match.ts';
import type { Notice } from '../../article/types.ts';
import { RefusedCommandError } from '../commands/refused-command.ts';
import type { Database } from '../db/database.ts';
import { isUniqueViolation } from '../db/pg-errors.ts';
import type { DB } from '../db/types.ts';
import { isUuid } from '../db/valid-keys.ts';
import { lockUser } from '../users/lock-user.ts';

const MAX_SERIES = 500;

export interface SeriesTarget {
  authorId: string;
  seriesId: string;
}

/** `title` is one clean line. Throws TITLE_TAKEN, TOO_MANY, UNAUTHENTICATED. */
export function createSeries(
  db: Database,
  { authorId, title, now }: { authorId: string; title: string; now: Date },
): Promise<{ id: string }> {
  return runSeriesCommand(db, authorId, async (tx) => {
    const { count } = await tx
      .selectFrom('series')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('authorId', '=', authorId)
      .executeTakeFirstOrThrow();
    if (count >= MAX_SERIES) {
      throw new RefusedCommandError(
        'TOO_MANY',
        `You have ${MAX_SERIES} series, which is the maximum. Delete one first.`,
      );
    }
    return tx
      .insertInto('series')
      .values({ authorId, title, titleKey: buildTitleKey(title), createdAt: now })
      .returning('id')
      .executeTakeFirstOrThrow();
  });
}

/** Throws NOT_FOUND, TITLE_TAKEN, UNAUTHENTICATED. */
export function renameSeries(db: Database, { authorId, seriesId, title }: SeriesTarget & { title: string }) {
  return runSeriesCommand(db, authorId, async (tx) => {
    await requireOwnSeries(tx, { authorId, seriesId });
    await tx
      .updateTable('series')
      .set({ title, titleKey: buildTitleKey(title) })
      .where('id', '=', seriesId)
      .execute();
  });
}

/** Its articles stay, without a series. Throws NOT_FOUND, UNAUTHENTICATED. */
export function deleteSeries(db: Database, target: SeriesTarget): Promise<void> {
  return runSeriesCommand(db, target.authorId, async (tx) => {
    await requireOwnSeries(tx, target);
    await tx.deleteFrom('series').where('id', '=', target.seriesId).execute();
  });
}

/** Throws NOT_FOUND for another author's series. */
export async function requireOwnSeries(tx: Transaction<DB>, { authorId, seriesId }: SeriesTarget): Promise<void> {
  const series = isUuid(seriesId)
    ? await tx
        .selectFrom('series')
        .select('id')
        .where('id', '=', seriesId)
        .where('authorId', '=', authorId)
        .executeTakeFirst()
    : undefined;
  if (!series) throw new RefusedCommandError('NOT_FOUND', 'You have no such series.', 'id');
}

async function runSeriesCommand<Result>(
  db: Database,
  authorId: string,
  command: (tx: Transaction<DB>) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.transaction().execute(async (tx) => {
      await lockUser(tx, authorId);
      return command(tx);
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'series_author_id_title_key_key')) throw error;
    throw new RefusedCommandError(
      'TITLE_TAKEN',
      'You already have a series with this title (case is ignored). Choose another title.',
      'title',
    );
  }
}

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

/** Idempotent. Throws NOT_FOUND for another author's article, UNAUTHENTICATED. */
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

export interface SeriesMention {
  authorId: string;
  articleId: string;
  /** The id of a series, or its title in any case. */
  seriesId: string;
}

/**
 * Runs in the publish transaction, which has locked the author's row. A new part comes last; an
 * existing one stays. For an unknown series the article is in none, with a warning that does not
 * reveal whether another author has it.
 */
export async function placeInSeries(tx: Transaction<DB>, mention: SeriesMention): Promise<Notice[]> {
  const { authorId, articleId, seriesId } = mention;
  const id = isUuid(seriesId) ? seriesId : null;
  const { rows } = await sql<{ partOf: string | null }>`
    with found as (
      select id, (select coalesce(max(part_position), 0) + 1 from articles where part_of = series.id) as next from series
      where author_id = ${authorId} and (id = ${id}::uuid or title_key = ${buildTitleKey(seriesId)})
      order by id = ${id}::uuid desc nulls last limit 1
    )
    update articles set part_of = (select id from found),
      part_position = case when part_of = (select id from found) then part_position else (select next from found) end
    where id = ${articleId} returning part_of`.execute(tx);
  if (rows[0]?.partOf != null) return [];
  const message = `"${seriesId}" is neither the id nor the title of one of your series, so the article was published without a series. Create the series and publish again.`;
  return [{ code: 'series_unknown', path: 'series_id', message }];
}
