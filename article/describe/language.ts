/**
 * Tells the language of a text by its most common words: as much as the rules of the description need to know, for a
 * hundredth of what a detector of hundred languages costs. Scripts without capitals are told by their letters.
 */
import { LANGUAGE_MARKS, type MarkedLanguage } from './keywords/stop-words.ts';

const MAX_TEXT = 2_000;
const MIN_WORDS = 8;
const MIN_SHARE = 0.125;

/** Null where less than an eighth of the first words are among the common ones of any language known here. */
export function detectLanguage(text: string): MarkedLanguage | null {
  const words =
    text
      .slice(0, MAX_TEXT)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  if (words.length < MIN_WORDS) return null;
  let best: MarkedLanguage | null = null;
  let most = words.length * MIN_SHARE;
  for (const [language, marks] of LANGUAGE_MARKS) {
    const count = words.filter((word) => marks.has(word)).length;
    if (count < most || (count === most && best !== null)) continue;
    [best, most] = [language, count];
  }
  return best;
}

/** True for Chinese, Japanese, Korean, Arabic, Hebrew and the like, where a Latin capital always begins a name. */
export function isCaseless(text: string): boolean {
  const start = text.slice(0, MAX_TEXT);
  const letters = start.match(/\p{L}/gu)?.length ?? 0;
  const caseless = start.match(/\p{Lo}/gu)?.length ?? 0;
  return caseless > letters * 0.3;
}
