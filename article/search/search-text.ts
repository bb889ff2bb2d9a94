/** What of an article can be searched: its parts by their weight, as words, and the keys by which it is found exactly. */
import type { DerivedArticle } from '../types.ts';
import { buildTagKey, buildTitleKey, writeKey } from './keys.ts';
import { chooseRules, type WordRules } from './word-rules.ts';
import { foldWord, splitWords } from './words.ts';

export interface SearchSource {
  title: string;
  subtitle: string | null;
  tags: readonly string[];
  derived: Pick<DerivedArticle, 'plainText' | 'excerpt' | 'headings' | 'language'>;
}

export interface SearchText {
  /** By which PostgreSQL makes stems of the words. */
  rules: WordRules;
  /** Words with spaces between them. A search that meets the title weighs most, then tags and headings, then subtitle and excerpt. */
  title: string;
  labels: string;
  summary: string;
  body: string;
  /** Every word once, without its marks, for beginnings of words and for exact ones; and the keys. */
  lexemes: string[];
}

/** Of a text, in characters: some twenty pages. PostgreSQL gives no place to words behind the 16,383rd, and a vector has 1 MiB at most. */
export const MAX_BODY = 50_000;
/** Of tags and headings together. A heading may be as long as a text; PostgreSQL refuses a vector that is too long, and nothing would be found. */
const MAX_LABELS = 20_000;

export function buildSearchText({ title, subtitle, tags, derived }: SearchSource): SearchText {
  const headings = derived.headings.map(({ text }) => text);
  const parts = {
    title: splitWords(title),
    labels: splitWords([...tags, ...headings].join('\n').slice(0, MAX_LABELS)),
    summary: splitWords(`${subtitle ?? ''}\n${derived.excerpt}`),
    body: splitWords(derived.plainText.slice(0, MAX_BODY)),
  };
  const rules = chooseRules(derived.language ?? null);
  const named = [...parts.title, ...splitWords(tags.join('\n'))];
  const lexemes = new Set([
    ...Object.values(parts).flat().map(foldWord),
    ...named.map((word) => writeKey('named', foldWord(word))),
    buildTitleKey(parts.title),
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
