/**
 * Writes the terms of a search as a query of PostgreSQL. Each article is asked by the rules of its own language, since a word has other stems
 * in another one: the key `rules/…` in the query says of which. It stands only where languages differ, and every word once, because the index
 * reads the list of a word again for every time that the query names it. What was typed is quoted, never parsed: terms are words already.
 */
import { type RawBuilder, sql } from 'kysely';
import { buildTitleKey, writeKey } from '../../article/search/keys.ts';
import type { SearchTerm } from '../../article/search/parse-search.ts';
import { foldWord } from '../../article/search/words.ts';
import { type Reading, writePhrase } from './read-terms.ts';

export interface QueryOptions {
  /** By the languages in use on the site. */
  readings: readonly Reading[];
  /** Which words may be beginnings. */
  beginnings: 'last word' | 'every word';
}

/** Articles that have all that is asked for. `terms` are not empty. */
export function buildMatch(terms: readonly SearchTerm[], options: QueryOptions): string {
  if (options.readings.length === 0) return NOTHING;
  const last = terms.at(-1);
  return all(
    terms.map((term) => {
      const met = term.isPhrase ? matchPhrase(term, options) : matchWords(term, { ...options, last });
      return term.isNegative ? `!${met}` : met;
    }),
  );
}

/** Articles with all the words in title and tags, as they stand. */
export function buildNamed(terms: readonly SearchTerm[], options: QueryOptions): string {
  return all(
    listWords(terms, options).map(({ word, isBeginning }) => quote(writeKey('named', foldWord(word)), isBeginning)),
  );
}

/** Articles with these words for a title, and no other. */
export function buildTitled(terms: readonly SearchTerm[]): string {
  return quote(buildTitleKey(wanted(terms).flatMap(({ words }) => words)));
}

/**
 * The stems of the words, by the rules of the row's column `rules`. Only what has a place in the text is ranked by it: keys have none, nor has
 * what a language leaves out, and `ts_rank_cd` would give nothing for all the words together.
 */
export function buildRanking(terms: readonly SearchTerm[], options: QueryOptions, join: 'all' | 'any') {
  const words = listWords(terms, options);
  const cases = options.readings.map(({ rules, stems }) => {
    const ranked = words.flatMap(({ word, isBeginning }) => {
      const stem = stems.get(word) ?? '';
      if (stem === '') return [];
      return [isBeginning ? any([quote(foldWord(word), true), `(${stem})`]) : `(${stem})`];
    });
    return sql`when ${rules} then ${asQuery(ranked.length === 0 ? NOTHING : join === 'all' ? all(ranked) : any(ranked))}`;
  });
  return cases.length === 0 ? asQuery(NOTHING) : sql<string>`case rules ${sql.join(cases, sql` `)} end`;
}

/** A word or key as a query of its own. */
export function quote(lexeme: string, isBeginning = false): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'${isBeginning ? ':*' : ''}`;
}

export function all(queries: readonly string[]): string {
  return `(${queries.join(' & ')})`;
}

export function asQuery(query: string): RawBuilder<string> {
  return sql<string>`${query}::tsquery`;
}

function any(queries: readonly string[]): string {
  return `(${queries.join(' | ')})`;
}

const NOTHING = quote(writeKey('rules', 'none'));

/** Each as it stands, or by its stem: of what is left out as a stop word there is only the first. */
function matchWords(term: SearchTerm, options: QueryOptions & Last): string {
  return all(
    splitTerm(term, options).map(({ word, isBeginning }) => {
      const asItStands = quote(foldWord(word));
      const stems = groupByStem(word, options.readings).filter(({ stem }) => stem !== '' && stem !== asItStands);
      return any([quote(foldWord(word), isBeginning), ...stems.map((group) => limitToRules(group, options.readings))]);
    }),
  );
}

function matchPhrase(term: SearchTerm, { readings }: QueryOptions): string {
  const inOrder = groupByStem(writePhrase(term), readings).map((group) => limitToRules(group, readings));
  return all([...term.words.map((word) => quote(foldWord(word))), any(inOrder)]);
}

interface StemGroup {
  stem: string;
  rules: string[];
}

function groupByStem(piece: string, readings: readonly Reading[]): StemGroup[] {
  const groups = Map.groupBy(readings, ({ stems }) => stems.get(piece) ?? '');
  return [...groups].map(([stem, alike]) => ({ stem, rules: alike.map(({ rules }) => rules) }));
}

function limitToRules({ stem, rules }: StemGroup, readings: readonly Reading[]): string {
  const ofThese = any(rules.map((name) => quote(writeKey('rules', name))));
  if (stem === '') return ofThese;
  return rules.length === readings.length ? `(${stem})` : all([`(${stem})`, ofThese]);
}

/** With fewer letters too many words begin; a single one of Chinese or Japanese says as much. */
const SHORTEST_BEGINNING = /[^\0-\u07ff]|.{4,}/u;

interface Last {
  last: SearchTerm | undefined;
}

function listWords(terms: readonly SearchTerm[], options: QueryOptions) {
  return wanted(terms).flatMap((term) => splitTerm(term, { ...options, last: terms.at(-1) }));
}

/** Of a term only the last word may be a beginning. */
function splitTerm(term: SearchTerm, { beginnings, last }: QueryOptions & Last) {
  const isTyping = beginnings === 'every word' || (term === last && SHORTEST_BEGINNING.test(term.words.at(-1) ?? ''));
  const mayBegin = isTyping && !term.isPhrase && !term.isNegative;
  return term.words.map((word, index) => ({ word, isBeginning: mayBegin && index === term.words.length - 1 }));
}

function wanted(terms: readonly SearchTerm[]): SearchTerm[] {
  return terms.filter(({ isNegative }) => !isNegative);
}
