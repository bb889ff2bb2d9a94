/** Counts words by the rules of Unicode, which include languages without spaces between words. */
import { ASCII } from '../../text/ascii.ts';

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

const SINGLE = /^\p{Script=Han}$/u;
const HAN = /^\p{Script=Han}{1,3}$/u;
/** Characters that are words by themselves and are not joined with their neighbours. */
const GRAMMAR = new Set(
  '的地得和跟与與及向并並等更已做我你他她它们們某该該各每这這那哪什么麼谁誰几幾多来來在就又很呢吧吗嗎了嘛啊是着著都不说說也看把被让讓给給还還个個有小大到一二三两兩为為中于於对對会會之第此或共按请請要能可用从從由去以而且但如若则則其所没沒未无無将將曾再才只最太些种種次里裡上下前后後内內外时時样樣年月日点點后当當比想使新旧本全人'.split(
    '',
  ),
);

/** `pieces` are in text order. An empty piece marks a gap between words. */
export function joinPieces(pieces: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (let at = 1; at < pieces.length; at += 1) {
    const pair = readPair(pieces, at);
    if (pair !== null) counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  const words: string[] = [];
  for (let at = 0; at < pieces.length; at += 1) {
    const pair = readPair(pieces, at + 1);
    const next = readPair(pieces, at + 2);
    // If two pairs share a piece, the more frequent pair is the word.
    if (
      pair !== null &&
      isWord(pair, counts) &&
      (counts.get(pair) ?? 0) >= (next === null ? 0 : (counts.get(next) ?? 0))
    ) {
      words.push(pair);
      at += 1;
    } else if (pieces[at] !== '') words.push(pieces[at] ?? '');
  }
  return words;
}

function isWord(pair: string, counts: ReadonlyMap<string, number>): boolean {
  return (counts.get(pair) ?? 0) >= 2;
}

/** The piece at `at` joined with the one before it, if they can form a word. */
function readPair(pieces: readonly string[], at: number): string | null {
  const [first = '', second = ''] = [pieces[at - 1], pieces[at]];
  if (!SINGLE.test(first) && !SINGLE.test(second)) return null;
  if (!HAN.test(first) || !HAN.test(second) || GRAMMAR.has(first) || GRAMMAR.has(second)) return null;
  return first + second;
}
