/** Chooses the first sentences that make sense without the page, for cards, feeds and posts. */
import type { ArticleDraft } from '../../types.ts';
import { cutAtSentence, cutAtWord, joinSentences } from '../cut-text.ts';
import type { Block, Section } from '../outline.ts';
import { splitSentences } from '../sentences.ts';
import { selectTeaser } from './find-teaser.ts';
import { endIntroduction, isIntroduction, isPresentable, measureLatinLength } from './judge-sentence.ts';
import { dropBrackets, dropMarkers } from './markers.ts';
import { dropGreeting } from './small-talk.ts';

export const EXCERPT_LENGTH = 200;
/** Longer than an excerpt, because an author who marks the end of a teaser means all of it. */
export const TEASER_LENGTH = 500;
/** A shorter opening is extended by the next paragraph. */
const MIN_OPENING_LENGTH = 80;
/** Whole sentences are preferred to a cut one if they fill this share of the length. */
const MIN_FILLED_SHARE = 0.4;
/** The search for an opening stops after this many blocks. */
const MAX_BLOCKS = 40;
const MAX_BLOCK_LENGTH = 5_000;

export interface ExcerptInput {
  draft: ArticleDraft;
  sections: Section[];
  /** The offset at which the author ended the teaser; null without a mark. */
  teaserEnd: number | null;
  plainText: string;
}

/** The author's excerpt, else the author's teaser, else the opening of the text. */
export function chooseExcerpt({ draft, sections, teaserEnd, plainText }: ExcerptInput): string {
  if (draft.excerpt !== null) return draft.excerpt;
  const teaser = teaserEnd === null ? '' : readTeaser(selectTeaser(sections, teaserEnd));
  if (teaser !== '') return teaser;
  return (
    chooseOpening(sections, EXCERPT_LENGTH) || cutAtWord(chooseFallback(draft, sections, plainText), EXCERPT_LENGTH)
  );
}

/** The first presentable sentences, at most `length` long; '' if there are none. */
export function chooseOpening(sections: Section[], length: number): string {
  const opening = findOpening(sections);
  const fitting = opening === '' ? '' : cutAtSentence(opening, length);
  return measureLatinLength(fitting) >= length * MIN_FILLED_SHARE || fitting === opening
    ? fitting
    : cutAtWord(opening, length);
}

function readTeaser(sections: Section[]): string {
  const sentences = sections.flatMap(({ blocks }) => blocks.filter(isOpening)).flatMap(readSentences);
  return cutAtSentence(sentences.filter(isPresentable).reduce(joinSentences, ''), TEASER_LENGTH);
}

/** Joins sentences from the first presentable one, until they suffice or a list follows. */
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
    if (measureLatinLength(opening) >= MIN_OPENING_LENGTH || (opening !== '' && from + run.length < sentences.length))
      break;
  }
  return opening;
}

/** Represents a heading: like a list or a table, it ends an opening. */
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
  // "Hello, world! Hi all." contains two greetings.
  const begin = opening === '' && second !== '' ? [dropGreeting(second), ...rest.slice(1)] : [opening, ...rest];
  return begin.filter((sentence) => sentence !== '');
}

const TLDR = /^tl\s*;?\s*dr\b[\s:.–—-]*/i;

/** A sentence that introduces a list, else the subtitle, list items or all text. */
function chooseFallback(draft: ArticleDraft, sections: Section[], plainText: string): string {
  const blocks = sections.flatMap((section) => section.blocks).slice(0, MAX_BLOCKS);
  const introduction = blocks.filter(isOpening).flatMap(readSentences).find(isIntroduction);
  if (introduction !== undefined) return endIntroduction(introduction);
  if (draft.subtitle !== null) return draft.subtitle;
  const texts = blocks
    .filter(({ kind }) => kind !== 'code' && kind !== 'table')
    .map(({ text, items }) => items.join(', ') || text);
  const words = texts
    .map((text) => dropGreeting(dropMarkers(dropBrackets(text.slice(0, MAX_BLOCK_LENGTH)))))
    .find((text) => text !== '');
  return words ?? dropMarkers(dropBrackets(plainText.slice(0, MAX_BLOCK_LENGTH)));
}
