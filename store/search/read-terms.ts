/** How the rules of the site's languages read what is searched for: once for each search, so that its query names each stem once. */
import { type Kysely, sql } from 'kysely';
import type { SearchTerm } from '../../article/search/parse-search.ts';
import type { DB } from '../db/types.ts';

export interface Reading {
  /** The text search configuration. */
  rules: string;
  /** By word and by phrase, as queries of PostgreSQL; empty for what these rules leave out. */
  stems: ReadonlyMap<string, string>;
}

/** One for each language in use. Steps from one to the next in the index, and does not read every article. */
export async function readTerms(db: Kysely<DB>, terms: readonly SearchTerm[]): Promise<Reading[]> {
  const pieces = [...new Set(terms.flatMap((term) => (term.isPhrase ? [writePhrase(term)] : term.words)))];
  const { rows } = await sql<{ rules: string; stems: string[] }>`
    with recursive found as (
      select min(rules) as rules from search_entries
      union all
      select (select min(e.rules) from search_entries e where e.rules > found.rules) from found where found.rules is not null
    )
    select rules, array(select phraseto_tsquery(rules::regconfig, piece)::text
      from unnest(${pieces}::text[]) with ordinality as asked (piece, place) order by place) as stems
    from found where rules is not null`.execute(db);
  return rows.map(({ rules, stems }) => ({
    rules,
    stems: new Map(pieces.map((piece, index) => [piece, stems[index] ?? ''])),
  }));
}

/** No word has a space. */
export function writePhrase({ words }: SearchTerm): string {
  return words.join(' ');
}
