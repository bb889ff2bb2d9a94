/** Stems search terms by the rules of each language on the site, once per search. */
import { type Kysely, sql } from 'kysely';
import type { SearchTerm } from '../../article/search/parse-search.ts';
import type { DB } from '../db/types.ts';

export interface LanguageStems {
  /** The name of the text search configuration. */
  rules: string;
  /** By word and by phrase, as PostgreSQL queries; empty for stop words. */
  stems: ReadonlyMap<string, string>;
}

/** Returns one entry per language in use. Steps through the index instead of reading articles. */
export async function stemTerms(db: Kysely<DB>, terms: readonly SearchTerm[]): Promise<LanguageStems[]> {
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

/** Unambiguous, since no word contains a space. */
export function writePhrase({ words }: SearchTerm): string {
  return words.join(' ');
}
