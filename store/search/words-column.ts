/** Builds the search words of an article as a `tsvector`. */
import { sql } from 'kysely';
import { writeKey } from '../../article/search/keys.ts';
import type { SearchText } from '../../article/search/search-text.ts';

/**
 * For a row with the column `author_id`. The part with the highest weight comes first, since the
 * last words of a long text get no position.
 */
export function buildWords({ rules, title, labels, summary, body, lexemes }: SearchText) {
  const vector = (words: string, weight: string) =>
    sql`setweight(to_tsvector(${rules}::regconfig, ${words}), ${weight})`;
  return sql<string>`${vector(title, 'A')} || ${vector(labels, 'B')} || ${vector(summary, 'C')} || ${vector(body, 'D')}
    || array_to_tsvector(array_append(${lexemes}::text[], ${writeKey('author', '')} || author_id))`;
}
