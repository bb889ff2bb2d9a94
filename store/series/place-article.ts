/** Adds an article to the series that its document names. */
import { sql, type Transaction } from 'kysely';
import { buildTitleKey } from '../../article/identity/match.ts';
import type { Notice } from '../../article/types.ts';
import type { DB } from '../db/types.ts';
import { isUuid } from '../db/valid-keys.ts';

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
