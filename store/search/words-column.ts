/** The words of an article as PostgreSQL keeps them. */
import { sql } from 'kysely';
import { writeKey } from '../../article/search/keys.ts';
import type { SearchText } from '../../article/search/search-text.ts';

/** Of the row with the column `author_id`. The weightiest part comes first: the last words of a long text have no place. */
export function buildWords({ rules, title, labels, summary, body, lexemes }: SearchText) {
  const vector = (words: string, weight: string) =>
    sql`setweight(to_tsvector(${rules}::regconfig, ${words}), ${weight})`;
  return sql<string>`${vector(title, 'A')} || ${vector(labels, 'B')} || ${vector(summary, 'C')} || ${vector(body, 'D')}
    || array_to_tsvector(array_append(${lexemes}::text[], ${writeKey('author', '')} || author_id))`;
}
