/** The place of a text at which a search met it, as data: pieces of the plain text, some of which are what was searched for. */
import type { SearchTerm } from './parse-search.ts';

export interface SnippetPart {
  text: string;
  /** Whether it is what was searched for. */
  isMatch: boolean;
}

const LENGTH = 240;
/** No further into the text, and of no more places, is the best one sought. */
const MAX_TEXT = 20_000;
const MOST_PLACES = 200;

/** Pieces that follow each other in the text, white space run together. The beginning where the words are not in it, as in the title only. */
export function cutSnippet(plainText: string, terms: readonly SearchTerm[]): SnippetPart[] {
  const text = plainText.slice(0, MAX_TEXT).replace(/\s+/g, ' ').trim().toWellFormed();
  const pattern = buildPattern(terms);
  const places = pattern === null ? [] : [...text.matchAll(pattern)].slice(0, MOST_PLACES);
  const start = beginAtWord(text, chooseStart(places));
  const end = endAtWord(text, start);
  return split(text, { start, end }, places);
}

/** Words that begin alike are forms of one: a language's own rules are with the database. */
function buildPattern(terms: readonly SearchTerm[]): RegExp | null {
  const words = terms.filter(({ isNegative }) => !isNegative).flatMap((term) => term.words);
  if (words.length === 0) return null;
  const forms = words.map((word) => {
    const beginning = word.length > 5 ? word.slice(0, -2) : word;
    return word.length > 3 || !/^[\p{Script=Latin}\p{N}]+$/u.test(word)
      ? `${beginning}[\\p{L}\\p{M}\\p{N}]*`
      : beginning + END_OF_WORD;
  });
  return new RegExp(`${START_OF_WORD}(?:${[...new Set(forms)].join('|')})`, 'giu');
}

/** Where words have no spaces between them, one begins anywhere. */
const START_OF_WORD =
  '(?:(?<![\\p{L}\\p{M}\\p{N}])|(?<=[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]))';
const END_OF_WORD = '(?![\\p{L}\\p{M}\\p{N}])';

/** Where most different words are close to each other; the first of several such places. */
function chooseStart(places: readonly RegExpExecArray[]): number {
  let best = { start: 0, words: 0 };
  for (const [first, { index }] of places.entries()) {
    const near = new Set<string>();
    for (const place of places.slice(first)) {
      if (place.index + place[0].length > index + LENGTH - LEAD) break;
      near.add(place[0].toLowerCase());
    }
    if (near.size > best.words) best = { start: index, words: near.size };
  }
  return Math.max(0, best.start - LEAD);
}

/** What is shown before the first of them. */
const LEAD = 60;

function beginAtWord(text: string, index: number): number {
  if (index === 0) return 0;
  const space = text.indexOf(' ', index);
  return space !== -1 && space < index + LEAD / 2 ? space + 1 : index + (isLowSurrogate(text, index) ? 1 : 0);
}

function endAtWord(text: string, start: number): number {
  const end = start + LENGTH;
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(' ', end);
  return space > end - LEAD / 2 ? space : end - (isLowSurrogate(text, end) ? 1 : 0);
}

function isLowSurrogate(text: string, index: number): boolean {
  return /[\udc00-\udfff]/.test(text.charAt(index));
}

function split(
  text: string,
  { start, end }: { start: number; end: number },
  places: readonly RegExpExecArray[],
): SnippetPart[] {
  const parts: SnippetPart[] = [];
  const add = (from: number, to: number, isMatch: boolean) => {
    if (to > from) parts.push({ text: text.slice(from, to), isMatch });
  };
  let at = start;
  for (const place of places) {
    const placeEnd = place.index + place[0].length;
    if (place.index < at || placeEnd > end) continue;
    add(at, place.index, false);
    add(place.index, placeEnd, true);
    at = placeEnd;
  }
  add(at, end, false);
  return parts;
}
