/** Cuts the part of a plain text that matches a search, as pieces with and without matches. */
import type { SearchTerm } from './parse-search.ts';
import { foldWord, locateRuns, readRun } from './words.ts';

export interface SnippetPart {
  text: string;
  isMatch: boolean;
}

const LENGTH = 240;
/** Limits of the search for the best place: characters of the text, and matches. */
export const MAX_SNIPPET_TEXT_LENGTH = 20_000;
const MAX_PLACES = 200;

/** Consecutive pieces, white space folded. The start of the text if it has no match. */
export function cutSnippet(plainText: string, terms: readonly SearchTerm[]): SnippetPart[] {
  const { text, blocks } = readBlocks(plainText.slice(0, MAX_SNIPPET_TEXT_LENGTH).toWellFormed());
  const places = findPlaces(text, terms);
  const best = choosePlace(places, blocks);
  const start = best === null ? 0 : beginAtWord(text, chooseStart(best, blocks));
  const end = endAtWord(text, { start, limit: (findCode(blocks, best ?? 0)?.start ?? text.length + 1) - 1 });
  return split(text, { start, end }, places);
}

/** A paragraph, a heading or a listing. It ends where the next block starts. */
interface Block {
  start: number;
  isCode: boolean;
}

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

/** Indented lines or many signs indicate a listing. */
function isCode(block: string, line: string): boolean {
  const signs = line.match(/[{}()[\];=<>|\\/$#*&+_`@~^]/g)?.length ?? 0;
  return /\n[ \t]+\S/.test(block) || signs > MIN_CODE_SIGN_SHARE * line.length;
}

const MIN_CODE_SIGN_SHARE = 0.07;

function findBlock(blocks: readonly Block[], index: number): Block | undefined {
  return blocks.findLast(({ start }) => start <= index);
}

function findCode(blocks: readonly Block[], index: number): Block | undefined {
  if (findBlock(blocks, index)?.isCode) return undefined;
  return blocks.find(({ start, isCode }) => isCode && start > index);
}

interface Place {
  start: number;
  end: number;
  word: string;
}

function findPlaces(text: string, terms: readonly SearchTerm[]): Place[] {
  const required = terms.filter(({ isNegative }) => !isNegative).flatMap(({ words }) => words);
  const forms = [...new Set(required)].map((word) => ({ word, isMet: buildForm(foldWord(word)) }));
  const places: Place[] = [];
  for (const { 0: run, index } of locateRuns(text)) {
    if (places.length >= MAX_PLACES) break;
    const read = readRun(run);
    const word = read === null ? undefined : forms.find(({ isMet }) => isMet(read))?.word;
    if (read === null) places.push(...findWithin(run, index, forms));
    else if (word !== undefined) places.push({ start: index, end: index + run.length, word });
  }
  return places;
}

/** Words with the same beginning count as forms of one. Only the database has language rules. */
function buildForm(word: string): (other: string) => boolean {
  if (word.length <= 3 && /^[\p{Script=Latin}\p{N}]+$/u.test(word)) return (other) => other === word;
  const beginning = word.length > 5 ? word.slice(0, -2) : word;
  return (other) => other.startsWith(beginning);
}

/** In scripts without spaces between words, a match may begin anywhere. */
function findWithin(run: string, index: number, forms: readonly { word: string }[]): Place[] {
  const lower = run.toLowerCase();
  const places = forms.flatMap(({ word }) => {
    const found: Place[] = [];
    for (
      let at = lower.indexOf(word);
      at !== -1 && found.length < MAX_PLACES;
      at = lower.indexOf(word, at + word.length)
    )
      found.push({ start: index + at, end: index + at + word.length, word });
    return found;
  });
  return places.sort((a, b) => a.start - b.start).slice(0, MAX_PLACES);
}

/** The place with most different words, those in code half, then prose, then the earlier one. */
function choosePlace(places: readonly Place[], blocks: readonly Block[]): number | null {
  const weights = places.map(({ start }) => (findBlock(blocks, start)?.isCode ? 1 : 2));
  let best: { start: number; worth: number } | null = null;
  for (const [first, { start }] of places.entries()) {
    const near = new Map<string, number>();
    for (let at = first; at < places.length; at++) {
      const place = places[at] as Place;
      if (place.end > start + LENGTH - LEAD) break;
      near.set(place.word, Math.max(near.get(place.word) ?? 0, weights[at] ?? 0));
    }
    const score = [...near.values()].reduce((sum, weight) => sum + weight, 0) + (weights[first] ?? 0) / 4;
    if (best === null || score > best.worth) best = { start, worth: score };
  }
  return best?.start ?? null;
}

/** Text shown before the first match, unless its paragraph begins later. */
const LEAD = 60;

function chooseStart(place: number, blocks: readonly Block[]): number {
  return Math.max(0, place - LEAD, findBlock(blocks, place)?.start ?? 0);
}

function beginAtWord(text: string, index: number): number {
  if (index === 0 || text.charAt(index - 1) === ' ') return index;
  const space = text.indexOf(' ', index);
  return space !== -1 && space < index + LEAD / 2 ? space + 1 : index + (isLowSurrogate(text, index) ? 1 : 0);
}

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
