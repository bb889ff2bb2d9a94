/** Builds the searchable form of an article: words by weight, and keys for exact matches. */
import type { DerivedArticle } from '../types.ts';
import { buildTagKey, buildTitleSearchKey, writeKey } from './keys.ts';
import { foldWord, splitSearchWords } from './words.ts';

export interface SearchSource {
  title: string;
  subtitle: string | null;
  tags: readonly string[];
  derived: Pick<DerivedArticle, 'plainText' | 'excerpt' | 'headings' | 'language'>;
}

export interface SearchText {
  rules: WordRules;
  /** Words with spaces. The title weighs most, then tags and headings, then `summary`. */
  title: string;
  labels: string;
  summary: string;
  body: string;
  /** Every word once, folded, for prefixes and exact matches; and the keys. */
  lexemes: string[];
}

/** In characters. PostgreSQL stores 16,383 positions and 1 MiB per vector. */
export const MAX_SEARCH_BODY_LENGTH = 50_000;
/** For tags and headings. PostgreSQL rejects a vector that is too long. */
const MAX_LABELS = 20_000;

export function buildSearchText({ title, subtitle, tags, derived }: SearchSource): SearchText {
  const headings = derived.headings.map(({ text }) => text);
  const parts = {
    title: splitSearchWords(title),
    labels: splitSearchWords([...tags, ...headings].join('\n').slice(0, MAX_LABELS)),
    summary: splitSearchWords(`${subtitle ?? ''}\n${derived.excerpt}`),
    body: splitSearchWords(derived.plainText.slice(0, MAX_SEARCH_BODY_LENGTH)),
  };
  const rules = chooseRules(derived.language ?? null);
  const named = [...parts.title, ...splitSearchWords(tags.join('\n'))];
  const lexemes = new Set([
    ...Object.values(parts).flat().map(foldWord),
    ...named.map((word) => writeKey('named', foldWord(word))),
    buildTitleSearchKey(parts.title),
    ...tags.map(buildTagKey),
    writeKey('rules', rules),
  ]);
  const { title: headline, labels, summary, body } = parts;
  return {
    rules,
    title: headline.join(' '),
    labels: labels.join(' '),
    summary: summary.join(' '),
    body: body.join(' '),
    lexemes: [...lexemes],
  };
}

/** Configurations of every PostgreSQL since version 14. `simple` does not stem. */
const RULES_OF_LANGUAGE = {
  ...({ ar: 'arabic', ca: 'catalan', da: 'danish', de: 'german', el: 'greek', en: 'english' } as const),
  ...({ es: 'spanish', eu: 'basque', fi: 'finnish', fr: 'french', ga: 'irish', hi: 'hindi' } as const),
  ...({ hu: 'hungarian', hy: 'armenian', id: 'indonesian', it: 'italian', lt: 'lithuanian', nb: 'norwegian' } as const),
  ...({ ne: 'nepali', nl: 'dutch', nn: 'norwegian', no: 'norwegian', pt: 'portuguese', ro: 'romanian' } as const),
  ...({ ru: 'russian', sr: 'serbian', sv: 'swedish', ta: 'tamil', tr: 'turkish', yi: 'yiddish' } as const),
};

export type WordRules = (typeof RULES_OF_LANGUAGE)[keyof typeof RULES_OF_LANGUAGE] | 'simple';

/** `language` is a BCP 47 tag; null if unknown. */
export function chooseRules(language: string | null): WordRules {
  const primary = language?.split('-')[0]?.toLowerCase() ?? '';
  return Object.hasOwn(RULES_OF_LANGUAGE, primary)
    ? RULES_OF_LANGUAGE[primary as keyof typeof RULES_OF_LANGUAGE]
    : 'simple';
}
