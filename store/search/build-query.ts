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
  languageStems: readonly LanguageStems[];
  /** The words that also match longer words by prefix. */
  prefixWords: 'last word' | 'every word';
}

/** Articles that match all terms. `terms` must not be empty. */
export function buildMatchQuery(terms: readonly SearchTerm[], options: QueryOptions): string {
  if (options.languageStems.length === 0) return NO_MATCH;
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
    listWords(terms, options).map(({ word, isPrefix }) => quoteLexeme(writeKey('named', foldWord(word)), isPrefix)),
  );
}

/** Articles with exactly these words as their title. */
export function buildExactTitleQuery(terms: readonly SearchTerm[]): string {
  return quoteLexeme(buildTitleSearchKey(dropNegated(terms).flatMap(({ words }) => words)));
}

/**
 * Builds the ranking query: the stems of the words for the row's `rules`. Includes only lexemes
 * with a position: keys and stop words have none, and `ts_rank_cd` would return 0 for the whole
 * query.
 */
export function buildRanking(terms: readonly SearchTerm[], options: QueryOptions, join: 'all' | 'any') {
  const words = listWords(terms, options);
  const cases = options.languageStems.map(({ rules, stems }) => {
    const ranked = words.flatMap(({ word, isPrefix }) => {
      const stem = stems.get(word) ?? '';
      if (stem === '') return [];
      return [isPrefix ? joinAny([quoteLexeme(foldWord(word), true), `(${stem})`]) : `(${stem})`];
    });
    const query = ranked.length === 0 ? NO_MATCH : join === 'all' ? joinAll(ranked) : joinAny(ranked);
    return sql`when ${rules} then ${asQuery(query)}`;
  });
  return cases.length === 0 ? asQuery(NO_MATCH) : sql<string>`case rules ${sql.join(cases, sql` `)} end`;
}

/** A word or key as a query. */
export function quoteLexeme(lexeme: string, isPrefix = false): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'${isPrefix ? ':*' : ''}`;
}

export function joinAll(queries: readonly string[]): string {
  return `(${queries.join(' & ')})`;
}

export function asQuery(query: string): RawBuilder<string> {
  return sql<string>`${query}::tsquery`;
}

function joinAny(queries: readonly string[]): string {
  return `(${queries.join(' | ')})`;
}

const NO_MATCH = quoteLexeme(writeKey('rules', 'none'));

/** Matches each word exactly or by its stem. A stop word has no stem and matches exactly only. */
function matchWords(term: SearchTerm, options: QueryOptions & Last): string {
  return joinAll(
    splitTerm(term, options).map(({ word, isPrefix }) => {
      const exact = quoteLexeme(foldWord(word));
      const stems = groupByStem(word, options.languageStems).filter(({ stem }) => stem !== '' && stem !== exact);
      return joinAny([
        quoteLexeme(foldWord(word), isPrefix),
        ...stems.map((group) => limitToRules(group, options.languageStems)),
      ]);
    }),
  );
}

function matchPhrase(term: SearchTerm, { languageStems }: QueryOptions): string {
  const inOrder = groupByStem(writePhrase(term), languageStems).map((group) => limitToRules(group, languageStems));
  return joinAll([...term.words.map((word) => quoteLexeme(foldWord(word))), joinAny(inOrder)]);
}

interface StemGroup {
  stem: string;
  rules: string[];
}

function groupByStem(piece: string, languageStems: readonly LanguageStems[]): StemGroup[] {
  const groups = Map.groupBy(languageStems, ({ stems }) => stems.get(piece) ?? '');
  return [...groups].map(([stem, group]) => ({ stem, rules: group.map(({ rules }) => rules) }));
}

function limitToRules({ stem, rules }: StemGroup, languageStems: readonly LanguageStems[]): string {
  const rulesFilter = joinAny(rules.map((name) => quoteLexeme(writeKey('rules', name))));
  if (stem === '') return rulesFilter;
  return rules.length === languageStems.length ? `(${stem})` : joinAll([`(${stem})`, rulesFilter]);
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
  const mayBePrefix = isTyping && !term.isPhrase && !term.isNegative;
  return term.words.map((word, index) => ({ word, isPrefix: mayBePrefix && index === term.words.length - 1 }));
}

function dropNegated(terms: readonly SearchTerm[]): SearchTerm[] {
  return terms.filter(({ isNegative }) => !isNegative);
}
