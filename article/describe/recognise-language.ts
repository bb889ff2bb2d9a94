/**
 * Recognises a language by its most common words: sufficient for the description, at a hundredth of
 * the cost of a detector for a hundred languages. Scripts without capitals are recognised by their
 * letters.
 */
import { LANGUAGE_MARKS, type MarkedLanguage } from './keywords/stop-words.ts';

const MAX_TEXT = 2_000;
const MIN_WORDS = 8;
const MIN_SHARE = 0.125;

/** Null if fewer than an eighth of the first words are common words of one known language. */
export function recogniseLanguage(text: string): MarkedLanguage | null {
  const words =
    text
      .slice(0, MAX_TEXT)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  if (words.length < MIN_WORDS) return null;
  let best: MarkedLanguage | null = null;
  let bestCount = words.length * MIN_SHARE;
  for (const [language, marks] of LANGUAGE_MARKS) {
    const count = words.filter((word) => marks.has(word)).length;
    if (count < bestCount || (count === bestCount && best !== null)) continue;
    [best, bestCount] = [language, count];
  }
  return best;
}

/**
 * True for Chinese, Japanese, Korean, Arabic, Hebrew and others, where a Latin capital starts a
 * name.
 */
export function isCaseless(text: string): boolean {
  const start = text.slice(0, MAX_TEXT);
  const letters = start.match(/\p{L}/gu)?.length ?? 0;
  const caseless = start.match(/\p{Lo}/gu)?.length ?? 0;
  return caseless > letters * 0.3;
}
