/** The place of a text at which a search met it, as data: pieces of the plain text, some of which are what was searched for. */
import type { SearchTerm } from './parse-search.ts';
import { foldWord, locateRuns, readRun } from './words.ts';

export interface SnippetPart {
  text: string;
  /** Whether it is what was searched for. */
  isMatch: boolean;
}

const LENGTH = 240;
/** No further into the text, and of no more places, is the best one sought. */
export const MAX_TEXT = 20_000;
const MOST_PLACES = 200;

/** Pieces that follow each other in the text, white space run together. The beginning where the words are not in it, as in the title only. */
export function cutSnippet(plainText: string, terms: readonly SearchTerm[]): SnippetPart[] {
  const text = plainText.slice(0, MAX_TEXT).replace(/\s+/g, ' ').trim().toWellFormed();
  const places = findPlaces(text, terms);
  const start = beginAtWord(text, chooseStart(places));
  const end = endAtWord(text, start);
  return split(text, { start, end }, places);
}

interface Place {
  start: number;
  end: number;
  /** Which of the words is there. */
  word: string;
}

function findPlaces(text: string, terms: readonly SearchTerm[]): Place[] {
  const wanted = terms.filter(({ isNegative }) => !isNegative).flatMap(({ words }) => words);
  const forms = [...new Set(wanted)].map((word) => ({ word, isMet: buildForm(foldWord(word)) }));
  const places: Place[] = [];
  // Most words of a text are in it more than once.
  const known = new Map<string, string | null | undefined>();
  for (const { 0: run, index } of locateRuns(text)) {
    if (places.length >= MOST_PLACES) break;
    if (!known.has(run)) known.set(run, findForm(run, forms));
    const word = known.get(run);
    if (word === null) places.push(...findWithin(run, index, forms));
    else if (word !== undefined) places.push({ start: index, end: index + run.length, word });
  }
  return places;
}

interface Form {
  word: string;
  isMet: (other: string) => boolean;
}

/** The word that a run is; null for several with some of these among them. */
function findForm(run: string, forms: readonly Form[]): string | null | undefined {
  const word = readRun(run);
  if (word !== null) return forms.find(({ isMet }) => isMet(word))?.word;
  const lower = run.toLowerCase();
  return forms.some((form) => lower.includes(form.word)) ? null : undefined;
}

/** Words that begin alike are forms of one: a language's own rules are with the database. */
function buildForm(word: string): Form['isMet'] {
  if (word.length <= 3 && /^[\p{Script=Latin}\p{N}]+$/u.test(word)) return (other) => other === word;
  const beginning = word.length > 5 ? word.slice(0, -2) : word;
  return (other) => other.startsWith(beginning);
}

/** Where words have no spaces between them, one begins and ends anywhere. */
function findWithin(run: string, index: number, forms: readonly Form[]): Place[] {
  const lower = run.toLowerCase();
  const places = forms.flatMap(({ word }) => {
    const found: Place[] = [];
    for (
      let at = lower.indexOf(word);
      at !== -1 && found.length < MOST_PLACES;
      at = lower.indexOf(word, at + word.length)
    )
      found.push({ start: index + at, end: index + at + word.length, word });
    return found;
  });
  return places.sort((one, other) => one.start - other.start).slice(0, MOST_PLACES);
}

/** Where most different words are close to each other; the first of several such places. */
function chooseStart(places: readonly Place[]): number {
  let best = { start: 0, words: 0 };
  for (const [first, { start }] of places.entries()) {
    const near = new Set<string>();
    for (const place of places.slice(first)) {
      if (place.end > start + LENGTH - LEAD) break;
      near.add(place.word);
    }
    if (near.size > best.words) best = { start, words: near.size };
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

function split(text: string, { start, end }: { start: number; end: number }, places: readonly Place[]): SnippetPart[] {
  const parts: SnippetPart[] = [];
  const add = (from: number, to: number, isMatch: boolean) => {
    if (to > from) parts.push({ text: text.slice(from, to), isMatch });
  };
  let at = start;
  for (const place of places) {
    if (place.start < at || place.end > end) continue;
    add(at, place.start, false);
    add(place.start, place.end, true);
    at = place.end;
  }
  add(at, end, false);
  return parts;
}
