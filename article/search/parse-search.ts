/** Parses words, "phrases in quotes", -words to exclude. Without a word, it finds nothing. */
import { splitSearchWords } from './words.ts';

export interface SearchTerm {
  /** At least one. One typed piece may give several words: `node.js`, 日本語. */
  words: string[];
  /** True if the words must be adjacent, in this order. */
  isPhrase: boolean;
  isNegative: boolean;
  typed: string;
}

/** More words cost time and do not improve the result. */
const MAX_WORDS = 16;
const MAX_LENGTH = 1_000;

/** Empty without a required word: exclusions alone match nearly every text. */
export function parseSearch(text: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  let count = 0;
  for (const [, minus, phrase, piece] of text.slice(0, MAX_LENGTH).toWellFormed().matchAll(PIECE)) {
    const typed = (phrase ?? piece ?? '').toLowerCase();
    const words = splitSearchWords(typed).slice(0, MAX_WORDS - count);
    if (words.length === 0) continue;
    count += words.length;
    terms.push({ words, typed, isPhrase: phrase !== undefined && words.length > 1, isNegative: minus === '-' });
  }
  return terms.some(({ isNegative }) => !isNegative) ? terms : [];
}

/** An unpaired quotation mark is white space. Typographic marks equal plain ones. */
const PIECE = /(?<![^\s"“”„«»])(-?)(?:["“”„«»]([^"“”„«»]*)["“”„«»]|([^\s"“”„«»]+))|["“”„«»]/g;
