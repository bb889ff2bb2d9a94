/** Counts words by the rules of Unicode, which include languages without spaces between words. */
import { ASCII } from '../../text/ascii.ts';
import { joinPieces } from './join-pieces.ts';

const WORDS_PER_MINUTE = 200;
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

export function countWords(text: string): number {
  let count = 0;
  for (const line of text.split('\n')) count += ASCII.test(line) ? countAscii(line) : countAny(line);
  return count;
}

function countAny(text: string): number {
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike === true) count += 1;
  return count;
}

/** Finds the same words as the segmenter, which takes longer than the rest of the description. */
function countAscii(text: string): number {
  return text.match(ASCII_WORD)?.length ?? 0;
}

const ASCII_WORD = /(?!_(?!\w))\w+(?:(?:(?<=[A-Za-z])[.:'](?=[A-Za-z])|(?<=[0-9])[.,;'](?=[0-9]))\w+)*/g;

/** At least one minute, rounded up. */
export function estimateReadingTime(words: number): number {
  return Math.max(1, Math.ceil(words / WORDS_PER_MINUTE));
}

/**
 * Words in lower case, without possessive endings. A pattern keeps `node.js` and `c++` whole.
 * Scripts without spaces are segmented.
 */
export function splitTopicWords(text: string): string[] {
  const words = text.toLowerCase().match(WORD)?.map(dropPossessive) ?? [];
  if (!WITHOUT_SPACES.test(text)) return words;
  const pieces = words.flatMap((word) => (WITHOUT_SPACES.test(word) ? [...segment(word), ''] : [word, '']));
  return joinPieces(pieces);
}

function segment(word: string): string[] {
  return [...segmenter.segment(word)]
    .filter(({ isWordLike }) => isWordLike === true)
    .map(({ segment: piece }) => piece);
}

function dropPossessive(word: string): string {
  return /['’]s$/.test(word) ? word.slice(0, -2) : word;
}

const WORD =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}ー]*(?:[.'’_-][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*(?:[+#]{1,2}(?![\p{L}\p{N}+#]))?/gu;
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;
