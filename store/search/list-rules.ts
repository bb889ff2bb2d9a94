/** The rules by which the words of the site's articles were made: as many as the site has languages. */
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db/types.ts';

/** Steps from one to the next in the index, and does not read every article. */
export async function listRules(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ rules: string }>`
    with recursive found as (
      select min(rules) as rules from search_entries
      union all
      select (select min(e.rules) from search_entries e where e.rules > found.rules) from found where found.rules is not null
    )
    select rules from found where rules is not null`.execute(db);
  return rows.map(({ rules }) => rules);
}
