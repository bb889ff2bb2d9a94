/** Counts words by the rules of Unicode, which work for Chinese and Japanese too, where words have no spaces between them. */

const WORDS_PER_MINUTE = 200;
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

export function countWords(text: string): number {
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike === true) count += 1;
  return count;
}

/** At least one minute, rounded up. */
export function estimateReadingTime(words: number): number {
  return Math.max(1, Math.ceil(words / WORDS_PER_MINUTE));
}

/** The words of a text in lower case. In scripts with spaces a pattern is used, which keeps `node.js` and `c++` whole. */
export function splitWords(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  if (!WITHOUT_SPACES.test(text)) return words;
  return words.flatMap((word) => {
    if (!WITHOUT_SPACES.test(word)) return [word];
    return [...segmenter.segment(word)].filter(({ isWordLike }) => isWordLike === true).map(({ segment }) => segment);
  });
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[.'’_-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*[+#]{0,2}/gu;
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
