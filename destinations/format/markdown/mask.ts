/** Masks formulas and tags in a body, so that a scan finds all else at its position. */
import { dropOverlaps } from '../../../article/dialects/spans.ts';
import type { Block, Span } from './block-types.ts';
import { readProse } from './prose.ts';

/** A noncharacter code point, which begins no block, no code and no address. */
const MARK = '\uFDD1';

/** Replaces spans with marks of the same length. They are in order and do not overlap. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(from, start), mask(text.slice(start, end)));
    from = end;
  }
  return parts.join('') + text.slice(from);
}

/** The start of each line stays, because the list or quotation around it would end without it. */
function mask(text: string): string {
  const [first = '', ...others] = text.split('\n');
  const rest = others.map((line) => {
    const prefix = /^[ \t]*(?:>[ \t]?)*[ \t]*/.exec(line)?.[0] ?? '';
    return prefix + MARK.repeat(line.length - prefix.length);
  });
  return [MARK.repeat(first.length), ...rest].join('\n');
}

/** The spans that neither begin nor end in code, addresses or raw HTML. None overlap. */
export function selectSpansInText<S extends Span>(spans: readonly S[], source: string, blocks: readonly Block[]): S[] {
  if (spans.length === 0) return [];
  const isText = createTextTest(source, blocks);
  return dropOverlaps(spans.filter(({ start, end }) => isText(start) && isText(end - 1)));
}

/** Tests whether a position is outside of code, addresses and raw HTML. */
export function createTextTest(source: string, blocks: readonly Block[]): (position: number) => boolean {
  const nonText = listNonText(source, blocks).sort((left, right) => left.start - right.start);
  return (position) => {
    let low = 0;
    let high = nonText.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((nonText[middle]?.end ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return (nonText[low]?.start ?? Number.POSITIVE_INFINITY) > position;
  };
}

function listNonText(source: string, blocks: readonly Block[]): Span[] {
  const spans: Span[] = [];
  for (const block of blocks) {
    if (block.kind === 'fence') spans.push({ start: block.open.start, end: block.end });
    if (block.kind === 'html' || block.kind === 'indented') spans.push(...joinLines(block.lines));
  }
  for (const { regions, toSource } of readProse(source, blocks))
    for (const { start, end } of regions) spans.push({ start: toSource(start), end: toSource(end - 1) + 1 });
  return spans;
}

function joinLines(lines: readonly Span[]): Span[] {
  const [first] = lines;
  return first === undefined ? [] : [{ start: first.start, end: lines.at(-1)?.end ?? first.end }];
}
