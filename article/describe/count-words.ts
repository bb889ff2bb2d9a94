/** Words, counted as Unicode counts them: right for Chinese and Japanese, which write none of the spaces. */

const WORDS_PER_MINUTE = 200;
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

export function countWords(text: string): number {
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike === true) count += 1;
  return count;
}

/** At least one minute, rounded up. */
export function readingTime(words: number): number {
  return Math.max(1, Math.ceil(words / WORDS_PER_MINUTE));
}

/** The words of a text in lower case; Latin ones by a pattern, which keeps `node.js` and `c++` whole. */
export function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const words: string[] = [];
  for (const [word] of lower.matchAll(
    /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:[.'’_-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*[+#]{0,2}/gu,
  )) {
    if (!WITHOUT_SPACES.test(word)) words.push(word);
    else for (const part of segmenter.segment(word)) if (part.isWordLike === true) words.push(part.segment);
  }
  return words;
}

const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
