/**
 * Writes the terms of a search as a query of PostgreSQL. Each article is asked by the rules of its own language, since a word has other stems
 * in another one: the key `rules/…` in the query says of which. Nothing that was typed is parsed by PostgreSQL: terms are words already.
 */
import { type RawBuilder, sql } from 'kysely';
import { writeKey } from '../../article/search/keys.ts';
import type { SearchTerm } from '../../article/search/parse-search.ts';
import { foldWord } from '../../article/search/words.ts';

export interface QueryOptions {
  /** Those in use on the site (`listRules`). */
  rules: readonly string[];
  /** Which words may be beginnings. */
  beginnings: 'last word' | 'every word';
}

type TsQuery = RawBuilder<string>;

/** Articles that have all that is asked for. `terms` are not empty. */
export function buildMatch(terms: readonly SearchTerm[], options: QueryOptions): TsQuery {
  const isBeginning = findBeginnings(terms, options);
  const byRules = options.rules.map((rules) => {
    const asked = terms.map((term) => {
      const met = buildTerm(term, rules, isBeginning(term));
      return term.isNegative ? sql<string>`!!(${met})` : met;
    });
    return sql<string>`(${quote(writeKey('rules', rules))} && ${sql.join(asked, AND)})`;
  });
  return byRules.length === 0 ? quote(NOTHING) : sql<string>`(${sql.join(byRules, OR)})`;
}

/** How well the words of an article meet the terms, its language set aside. Keys have no place, so they are no part of it. */
export function buildRanking(terms: readonly SearchTerm[], options: QueryOptions): TsQuery {
  const isBeginning = findBeginnings(terms, options);
  const wanted = terms.filter(({ isNegative }) => !isNegative);
  const cases = options.rules.map((rules) => {
    const asked = wanted.map((term) => buildTerm(term, rules, isBeginning(term)));
    return sql`when ${rules} then ${sql.join(asked, AND)}`;
  });
  return cases.length === 0 ? quote(NOTHING) : sql<string>`case rules ${sql.join(cases, sql` `)} end`;
}

/** Articles with all the words in title and tags, as they stand. */
export function buildNamed(terms: readonly SearchTerm[], options: Pick<QueryOptions, 'beginnings'>): TsQuery {
  const isBeginning = findBeginnings(terms, options);
  const named = terms
    .filter(({ isNegative }) => !isNegative)
    .flatMap((term) =>
      term.words.map((word, index) =>
        quote(writeKey('named', foldWord(word)), isBeginning(term) && index === term.words.length - 1),
      ),
    );
  return sql<string>`(${sql.join(named, AND)})`;
}

const NOTHING = writeKey('rules', 'none');
const AND = sql` && `;
const OR = sql` || `;

/** The stems by these rules, or the word as it stands: of what they take for a stop word there is only that. */
function buildTerm({ words, isPhrase }: SearchTerm, rules: string, isBeginning: boolean): TsQuery {
  if (isPhrase) {
    const each = words.map((word) => quote(foldWord(word)));
    return sql<string>`(${sql.join(each, AND)} && phraseto_tsquery(${rules}::regconfig, ${words.join(' ')}))`;
  }
  const each = words.map((word, index) => {
    const asItStands = quote(foldWord(word), isBeginning && index === words.length - 1);
    return sql<string>`(${asItStands} || plainto_tsquery(${rules}::regconfig, ${word}))`;
  });
  return sql<string>`(${sql.join(each, AND)})`;
}

/** With fewer letters too many words begin; a single one of Chinese or Japanese says as much. */
const SHORTEST_BEGINNING = /[^\0-\u07ff]|.{4,}/u;

export function findBeginnings(terms: readonly SearchTerm[], { beginnings }: Pick<QueryOptions, 'beginnings'>) {
  return (term: SearchTerm): boolean => {
    if (term.isPhrase || term.isNegative) return false;
    if (beginnings === 'every word') return true;
    return term === terms.at(-1) && SHORTEST_BEGINNING.test(term.words.at(-1) ?? '');
  };
}

/** A word or key as a query of its own. */
export function quote(lexeme: string, isBeginning = false): TsQuery {
  const quoted = `'${lexeme.replace(/['\\]/g, '$&$&')}'${isBeginning ? ':*' : ''}`;
  return sql<string>`${quoted}::tsquery`;
}
