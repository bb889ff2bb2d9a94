/**
 * Creates, renames and deletes series. Each command locks the author's row first, as a publish
 * does, so that titles stay unique and the limit holds.
 */
import type { Transaction } from 'kysely';
import { buildTitleKey } from '../../article/identity/match.ts';
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
