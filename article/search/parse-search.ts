/**
 * Reads what somebody types into a search: words, "phrases in quotes", and -words that must not be there. Any text is one; of a text without
 * a word nothing is found.
 */
import { splitWords } from './words.ts';

export interface SearchTerm {
  /** At least one. A single piece may be several words: `node.js`, 日本語. */
  words: string[];
  /** The words next to each other, in this order. */
  isPhrase: boolean;
  isNegative: boolean;
  /** As it was typed, in lower case. */
  typed: string;
}

/** More say nothing more, and each costs. */
const MOST_WORDS = 16;
/** What lies behind is not read. */
const MAX_LENGTH = 1_000;

/** Empty where there is no word that must be there: what a text is not, nearly every text is not. */
export function parseSearch(text: string): SearchTerm[] {
  const terms: SearchTerm[] = [];
  let count = 0;
  for (const [, minus, phrase, piece] of text.slice(0, MAX_LENGTH).toWellFormed().matchAll(PIECE)) {
    const typed = (phrase ?? piece ?? '').toLowerCase();
    const words = splitWords(typed).slice(0, MOST_WORDS - count);
    if (words.length === 0) continue;
    count += words.length;
    terms.push({ words, typed, isPhrase: phrase !== undefined && words.length > 1, isNegative: minus === '-' });
  }
  return terms.some(({ isNegative }) => !isNegative) ? terms : [];
}

/** A quotation mark without its partner is white space, as every typographic one is read as a plain one. */
const PIECE = /(?<![^\s"“”„«»])(-?)(?:["“”„«»]([^"“”„«»]*)["“”„«»]|([^\s"“”„«»]+))|["“”„«»]/g;
