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
  const { text, blocks } = readBlocks(plainText.slice(0, MAX_TEXT).toWellFormed());
  const places = findPlaces(text, terms);
  const best = choosePlace(places, blocks);
  const start = best === null ? 0 : beginAtWord(text, chooseStart(best, blocks));
  const end = endAtWord(text, { start, limit: (findCode(blocks, best ?? 0)?.start ?? text.length + 1) - 1 });
  return split(text, { start, end }, places);
}

/** A paragraph, a heading, a listing. Its end is where the next one starts. */
interface Block {
  start: number;
  isCode: boolean;
}

/** The text in one line, and where its blocks are in it. */
function readBlocks(plainText: string): { text: string; blocks: Block[] } {
  const blocks: Block[] = [];
  let text = '';
  for (const block of plainText.split(/\n\s*\n/)) {
    const line = block.replace(/\s+/g, ' ').trim();
    if (line === '') continue;
    if (text !== '') text += ' ';
    blocks.push({ start: text.length, isCode: isCode(block, line) });
    text += line;
  }
  return { text, blocks };
}

/** Only a listing has lines that are indented, or so many signs. */
function isCode(block: string, line: string): boolean {
  const signs = line.match(/[{}()[\];=<>|\\/$#*&+_`@~^]/g)?.length ?? 0;
  return /\n[ \t]+\S/.test(block) || signs > MOST_SIGNS * line.length;
}

const MOST_SIGNS = 0.07;

function findBlock(blocks: readonly Block[], index: number): Block | undefined {
  return blocks.findLast(({ start }) => start <= index);
}

/** The next listing behind this place, where that is in prose. */
function findCode(blocks: readonly Block[], index: number): Block | undefined {
  if (findBlock(blocks, index)?.isCode) return undefined;
  return blocks.find(({ start, isCode }) => isCode && start > index);
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

/** Where most different words are close to each other, those within code for half; of several such places one in prose, and the first. */
function choosePlace(places: readonly Place[], blocks: readonly Block[]): number | null {
  const worths = places.map(({ start }) => (findBlock(blocks, start)?.isCode ? 1 : 2));
  let best: { start: number; worth: number } | null = null;
  for (const [first, { start }] of places.entries()) {
    const near = new Map<string, number>();
    for (let at = first; at < places.length; at++) {
      const place = places[at] as Place;
      if (place.end > start + LENGTH - LEAD) break;
      near.set(place.word, Math.max(near.get(place.word) ?? 0, worths[at] ?? 0));
    }
    const worth = [...near.values()].reduce((sum, one) => sum + one, 0) + (worths[first] ?? 0) / 4;
    if (best === null || worth > best.worth) best = { start, worth };
  }
  return best?.start ?? null;
}

/** What is shown before the first of them, unless its paragraph begins later. */
const LEAD = 60;

function chooseStart(place: number, blocks: readonly Block[]): number {
  return Math.max(0, place - LEAD, findBlock(blocks, place)?.start ?? 0);
}

function beginAtWord(text: string, index: number): number {
  if (index === 0 || text.charAt(index - 1) === ' ') return index;
  const space = text.indexOf(' ', index);
  return space !== -1 && space < index + LEAD / 2 ? space + 1 : index + (isLowSurrogate(text, index) ? 1 : 0);
}

/** Not beyond `limit`. */
function endAtWord(text: string, { start, limit }: { start: number; limit: number }): number {
  const end = start + LENGTH;
  if (end >= limit) return limit;
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
