/**
 * Chooses the sentences that introduce an article on cards, in feeds and in posts about it: the first ones that mean
 * something without the page around them.
 */
import type { ArticleDraft } from '../../types.ts';
import { cutAtSentence, cutAtWord, joinSentences } from '../cut-text.ts';
import type { Block, Section } from '../outline.ts';
import { splitSentences } from '../sentences.ts';
import { takeTeaser } from './find-teaser.ts';
import { endIntroduction, isIntroduction, isPresentable, measure } from './judge-sentence.ts';
import { dropBrackets, dropMarkers } from './markers.ts';
import { dropGreeting } from './small-talk.ts';

export const EXCERPT_LENGTH = 200;
/** An author who marks the end of a teaser means all of it. */
export const TEASER_LENGTH = 500;
/** Less than this says too little for a card, so the next paragraph is added. */
const ENOUGH = 80;
/** Whole sentences are better than a cut one where they fill this share of the room. */
const FILLED = 0.4;
/** The opening of an article is not found further down. */
const MAX_BLOCKS = 40;
const MAX_BLOCK_LENGTH = 5_000;

export interface ExcerptInput {
  draft: ArticleDraft;
  sections: Section[];
  /** Where the author ended the teaser, if anywhere. */
  teaserEnd: number | null;
  plainText: string;
}

/** The author's excerpt; else the author's teaser; else the opening of the text. */
export function chooseExcerpt({ draft, sections, teaserEnd, plainText }: ExcerptInput): string {
  if (draft.excerpt !== null) return draft.excerpt;
  const teaser = teaserEnd === null ? '' : readTeaser(takeTeaser(sections, teaserEnd));
  if (teaser !== '') return teaser;
  return chooseOpening(sections, EXCERPT_LENGTH) || cutAtWord(chooseRest(draft, sections, plainText), EXCERPT_LENGTH);
}

/** The first presentable sentences in at most `length`; '' if there is none. */
export function chooseOpening(sections: Section[], length: number): string {
  const opening = findOpening(sections);
  const fitting = opening === '' ? '' : cutAtSentence(opening, length);
  return measure(fitting) >= length * FILLED || fitting === opening ? fitting : cutAtWord(opening, length);
}

/** All presentable sentences of the paragraphs. */
function readTeaser(sections: Section[]): string {
  const sentences = sections.flatMap(({ blocks }) => blocks.filter(isOpening)).flatMap(readSentences);
  return cutAtSentence(sentences.filter(isPresentable).reduce(joinSentences, ''), TEASER_LENGTH);
}

/** Sentences that follow each other, from the first presentable one on, until there is enough or something else begins. */
function findOpening(sections: Section[]): string {
  const blocks = sections.flatMap((section) => [HEADING, ...section.blocks]).slice(0, MAX_BLOCKS);
  let opening = '';
  for (const block of blocks) {
    if (!isOpening(block)) {
      if (opening !== '') break;
      continue;
    }
    const sentences = readSentences(block);
    const from = opening === '' ? sentences.findIndex(isPresentable) : 0;
    const run = from === -1 ? [] : takeWhile(sentences.slice(from), isPresentable);
    opening = run.reduce(joinSentences, opening);
    if (measure(opening) >= ENOUGH || (opening !== '' && from + run.length < sentences.length)) break;
  }
  return opening;
}

/** Ends an opening as a list does. */
const HEADING: Block = { kind: 'table', text: '', items: [], lead: '', end: null };

function takeWhile<T>(values: T[], isTaken: (value: T) => boolean): T[] {
  const end = values.findIndex((value) => !isTaken(value));
  return end === -1 ? values : values.slice(0, end);
}

function isOpening({ kind, text, lead }: Block): boolean {
  return kind === 'paragraph' && lead !== text;
}

function readSentences({ text }: Block): string[] {
  const sentences = splitSentences(dropBrackets(text.slice(0, MAX_BLOCK_LENGTH)).replace(TLDR, ''));
  const [first = '', ...rest] = sentences;
  const [opening, second] = [dropGreeting(first), rest[0] ?? ''];
  // "Hello, world! Hi all." are two.
  const begin = opening === '' && second !== '' ? [dropGreeting(second), ...rest.slice(1)] : [opening, ...rest];
  return begin.filter((sentence) => sentence !== '');
}

const TLDR = /^tl\s*;?\s*dr\b[\s:.–—-]*/i;

/** A sentence that introduces a list, the subtitle, what the lists say; else all text without markers. */
function chooseRest(draft: ArticleDraft, sections: Section[], plainText: string): string {
  const blocks = sections.flatMap((section) => section.blocks).slice(0, MAX_BLOCKS);
  const introduction = blocks.filter(isOpening).flatMap(readSentences).find(isIntroduction);
  if (introduction !== undefined) return endIntroduction(introduction);
  if (draft.subtitle !== null) return draft.subtitle;
  const said = blocks
    .filter(({ kind }) => kind !== 'code' && kind !== 'table')
    .map(({ text, items }) => items.join(', ') || text);
  const words = said
    .map((text) => dropGreeting(dropMarkers(dropBrackets(text.slice(0, MAX_BLOCK_LENGTH)))))
    .find((text) => text !== '');
  return words ?? dropMarkers(dropBrackets(plainText.slice(0, MAX_BLOCK_LENGTH)));
}
