/**
 * Builds PostgreSQL queries from search terms, which are quoted, never parsed. Stems depend on an
 * article's language, so the key `rules/…` limits them where languages differ. Each word occurs
 * once, since the index reads its list once per occurrence.
 */
import { type RawBuilder, sql } from 'kysely';
import { buildTitleSearchKey, writeKey } from '../../article/search/keys.ts';
import type { SearchTerm } from '../../article/search/parse-search.ts';
import { foldWord } from '../../article/search/words.ts';
import { type LanguageStems, writePhrase } from './stem-terms.ts';

export interface QueryOptions {
  /** One for each language in use on the site. */
  readings: readonly LanguageStems[];
  /** The words that also match longer words by prefix. */
  prefixWords: 'last word' | 'every word';
}

/** Articles that match all terms. `terms` must not be empty. */
export function buildMatchQuery(terms: readonly SearchTerm[], options: QueryOptions): string {
  if (options.readings.length === 0) return NOTHING;
  const last = terms.at(-1);
  return joinAll(
    terms.map((term) => {
      const match = term.isPhrase ? matchPhrase(term, options) : matchWords(term, { ...options, last });
      return term.isNegative ? `!${match}` : match;
    }),
  );
}

/** Articles with all the exact words in title and tags. */
export function buildTitleAndTagsQuery(terms: readonly SearchTerm[], options: QueryOptions): string {
  return joinAll(
    listWords(terms, options).map(({ word, isBeginning }) =>
      quoteLexeme(writeKey('named', foldWord(word)), isBeginning),
    ),
  );
}

/** Articles with exactly these words as their title. */
export function buildExactTitleQuery(terms: readonly SearchTerm[]): string {
  return quoteLexeme(buildTitleSearchKey(dropNegated(terms).flatMap(({ words }) => words)));
}

/**
 * The stems of the words by the row's column `rules`. Includes only lexemes with a position: keys
 * and stop words have none, and `ts_rank_cd` would return 0 for the whole query.
 */
export function buildRanking(terms: readonly SearchTerm[], options: QueryOptions, join: 'all' | 'any') {
  const words = listWords(terms, options);
  const cases = options.readings.map(({ rules, stems }) => {
    const ranked = words.flatMap(({ word, isBeginning }) => {
      const stem = stems.get(word) ?? '';
      if (stem === '') return [];
      return [isBeginning ? any([quoteLexeme(foldWord(word), true), `(${stem})`]) : `(${stem})`];
    });
    return sql`when ${rules} then ${asQuery(ranked.length === 0 ? NOTHING : join === 'all' ? joinAll(ranked) : any(ranked))}`;
  });
  return cases.length === 0 ? asQuery(NOTHING) : sql<string>`case rules ${sql.join(cases, sql` `)} end`;
}

/** A word or key as a query. */
export function quoteLexeme(lexeme: string, isBeginning = false): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'${isBeginning ? ':*' : ''}`;
}

export function joinAll(queries: readonly string[]): string {
  return `(${queries.join(' & ')})`;
}

export function asQuery(query: string): RawBuilder<string> {
  return sql<string>`${query}::tsquery`;
}

function any(queries: readonly string[]): string {
  return `(${queries.join(' | ')})`;
}

const NOTHING = quoteLexeme(writeKey('rules', 'none'));

/** Matches each word exactly or by its stem. A stop word has no stem and matches exactly only. */
function matchWords(term: SearchTerm, options: QueryOptions & Last): string {
  return joinAll(
    splitTerm(term, options).map(({ word, isBeginning }) => {
      const exact = quoteLexeme(foldWord(word));
      const stems = groupByStem(word, options.readings).filter(({ stem }) => stem !== '' && stem !== exact);
      return any([
        quoteLexeme(foldWord(word), isBeginning),
        ...stems.map((group) => limitToRules(group, options.readings)),
      ]);
    }),
  );
}

function matchPhrase(term: SearchTerm, { readings }: QueryOptions): string {
  const inOrder = groupByStem(writePhrase(term), readings).map((group) => limitToRules(group, readings));
  return joinAll([...term.words.map((word) => quoteLexeme(foldWord(word))), any(inOrder)]);
}

interface StemGroup {
  stem: string;
  rules: string[];
}

function groupByStem(piece: string, readings: readonly LanguageStems[]): StemGroup[] {
  const groups = Map.groupBy(readings, ({ stems }) => stems.get(piece) ?? '');
  return [...groups].map(([stem, alike]) => ({ stem, rules: alike.map(({ rules }) => rules) }));
}

function limitToRules({ stem, rules }: StemGroup, readings: readonly LanguageStems[]): string {
  const ofThese = any(rules.map((name) => quoteLexeme(writeKey('rules', name))));
  if (stem === '') return ofThese;
  return rules.length === readings.length ? `(${stem})` : joinAll([`(${stem})`, ofThese]);
}

/** Shorter prefixes match too many words. One Chinese or Japanese character is specific enough. */
const PREFIX_PATTERN = /[^\0-\u07ff]|.{4,}/u;

interface Last {
  last: SearchTerm | undefined;
}

function listWords(terms: readonly SearchTerm[], options: QueryOptions) {
  return dropNegated(terms).flatMap((term) => splitTerm(term, { ...options, last: terms.at(-1) }));
}

/** Only the last word of a term can be a prefix. */
function splitTerm(term: SearchTerm, { prefixWords, last }: QueryOptions & Last) {
  const isTyping = prefixWords === 'every word' || (term === last && PREFIX_PATTERN.test(term.words.at(-1) ?? ''));
  const mayBegin = isTyping && !term.isPhrase && !term.isNegative;
  return term.words.map((word, index) => ({ word, isBeginning: mayBegin && index === term.words.length - 1 }));
}

function dropNegated(terms: readonly SearchTerm[]): SearchTerm[] {
  return terms.filter(({ isNegative }) => !isNegative);
}
