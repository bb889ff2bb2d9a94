/** Cuts text to a length in UTF-16 units, at a word or a sentence. Graphemes stay intact. */
import { splitSentences } from './sentences.ts';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = new Intl.Segmenter('en', { granularity: 'word' });
/** A segmenter reads its entire input, so it gets only this much beyond the limit. */
const LOOK_AHEAD = 64;

/** At most `length` units; ends in `…` if text was cut. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const room = text.slice(0, findStart(graphemes, text, length - 1));
  const space = /\s/.test(text.charAt(room.length)) ? room.length : room.search(/\s\S*$/);
  const word = space > length / 2 ? space : findStart(words, text, room.length);
  // A long address has neither a space nor the end of a word nearby.
  const cut = word > length / 2 ? room.slice(0, word) : room;
  return `${cut.replace(OPEN_BRACKET, '').replace(/[\s,;:.–—，、；：-]+$/u, '')}…`;
}

/** An unclosed bracket with at most 30 characters after it. */
const OPEN_BRACKET = /[\s,]*[([（「『【][^)\]）」』】]{0,30}$/u;

/** As many whole sentences as fit. If the first does not fit, it is cut at a word. */
export function cutAtSentence(text: string, length: number): string {
  let result = '';
  for (const sentence of splitSentences(text.slice(0, 2 * length + LOOK_AHEAD))) {
    const longer = joinSentences(result, sentence);
    if (longer.length > length) break;
    result = longer;
  }
  return result === '' ? cutAtWord(text, length) : result;
}

/** Joins with a space, except after the punctuation of Chinese and Japanese. */
export function joinSentences(first: string, second: string): string {
  if (first === '' || second === '') return first + second;
  return /[。！？；：」』】）]$/u.test(first) ? first + second : `${first} ${second}`;
}

function findStart(segmenter: Intl.Segmenter, text: string, index: number): number {
  return segmenter.segment(text.slice(0, index + LOOK_AHEAD)).containing(index)?.index ?? index;
}
