/** Iterates over the text of a document that is shown as text, with its other regions. */
import type { TextEdit } from '../../../article/markdown/edits.ts';
import type { Block, Span } from './block-types.ts';
import { type InlineText, joinLines, type Region, scanInline } from './inline.ts';

export interface Prose extends InlineText {
  block: Exclude<Block, { kind: 'fence' | 'rule' | 'footnote' }>;
  /** By index into `text`. Empty for raw HTML and indented code, which have no inline syntax. */
  regions: Region[];
}

export function* readProse(source: string, blocks: readonly Block[]): Generator<Prose> {
  for (const block of blocks) {
    if (block.kind === 'fence' || block.kind === 'rule' || block.kind === 'footnote') continue;
    if (block.kind === 'table') {
      for (const cell of block.cells) yield buildProse(source, block, [cell]);
    } else {
      yield buildProse(source, block, block.lines);
    }
  }
}

/** Finds the region at an index and the start of the next one. Indices must not decrease. */
export class RegionCursor {
  readonly #regions: readonly Region[];
  #at = 0;

  constructor(regions: readonly Region[]) {
    this.#regions = regions;
  }

  findRegion(index: number): Region | null {
    while ((this.#regions[this.#at]?.end ?? Number.POSITIVE_INFINITY) <= index) this.#at += 1;
    const region = this.#regions[this.#at];
    return region && region.start <= index ? region : null;
  }

  /** Infinity if there is none. */
  findNextStart(index: number): number {
    const skipped = this.findRegion(index) === null ? 0 : 1;
    return this.#regions[this.#at + skipped]?.start ?? Number.POSITIVE_INFINITY;
  }
}

/** Replaces `[start, end)` of the prose: at least one character and no line break. */
export function replaceProse(prose: Prose, start: number, end: number, text: string): TextEdit {
  return { start: prose.toSource(start), end: prose.toSource(end - 1) + 1, text };
}

export function insertBefore(prose: Prose, index: number, text: string): TextEdit {
  const at = prose.toSource(index);
  return { start: at, end: at, text };
}

export function insertAfter(prose: Prose, index: number, text: string): TextEdit {
  const at = prose.toSource(index - 1) + 1;
  return { start: at, end: at, text };
}

/** Line of a position in the source, counted from 1. */
export function findLine(source: string, position: number): number {
  let line = 1;
  for (let at = source.indexOf('\n'); at !== -1 && at < position; at = source.indexOf('\n', at + 1)) line += 1;
  return line;
}

function buildProse(source: string, block: Prose['block'], lines: readonly Span[]): Prose {
  const joined = joinLines(source, lines);
  const isVerbatim = block.kind === 'html' || block.kind === 'indented';
  return { ...joined, block, regions: isVerbatim ? [] : scanInline(joined.text) };
}
