/** Cuts texts to a length, at a word or a sentence. Lengths are in UTF-16 units; what a reader sees as one character stays whole. */
import { splitSentences } from './sentences.ts';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = new Intl.Segmenter('en', { granularity: 'word' });
/** A segmenter reads all that it is given, so it gets little more than what is kept. */
const LOOK_AHEAD = 64;

/** At most `length` long; ends in `…` if something was cut. */
export function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const room = text.slice(0, findStart(graphemes, text, length - 1));
  const space = /\s/.test(text.charAt(room.length)) ? room.length : room.search(/\s\S*$/);
  const word = space > length / 2 ? space : findStart(words, text, room.length);
  // A long address has neither a space nor an end of a word nearby.
  const cut = word > length / 2 ? room.slice(0, word) : room;
  return `${cut.replace(OPEN_BRACKET, '').replace(/[\s,;:.–—，、；：-]+$/u, '')}…`;
}

/** A bracket that the rest would have closed, where little stands in it. */
const OPEN_BRACKET = /[\s,]*[([（「『【][^)\]）」』】]{0,30}$/u;

/** As many whole sentences as fit; if not even the first fits, it is cut at a word. */
export function cutAtSentence(text: string, length: number): string {
  let kept = '';
  for (const sentence of splitSentences(text.slice(0, 2 * length + LOOK_AHEAD))) {
    const longer = joinSentences(kept, sentence);
    if (longer.length > length) break;
    kept = longer;
  }
  return kept === '' ? cutAtWord(text, length) : kept;
}

/** With a space between them, except after the full stop of Chinese and Japanese. */
export function joinSentences(first: string, second: string): string {
  if (first === '' || second === '') return first + second;
  return /[。！？；：」』】）]$/u.test(first) ? first + second : `${first} ${second}`;
}

/** Where the segment begins to which the character at `index` belongs. */
function findStart(segmenter: Intl.Segmenter, text: string, index: number): number {
  return segmenter.segment(text.slice(0, index + LOOK_AHEAD)).containing(index)?.index ?? index;
}
