/**
 * Hides pieces of a body whose signs mean nothing to Markdown (formulas, tags that a platform runs), so that scanning it
 * finds everything else where it is.
 */
import { dropOverlaps } from '../../../article/dialects/spans.ts';
import type { Block, Span } from './block-types.ts';
import { readProse } from './prose.ts';

/** A code point that is no character: it begins no block, no code, no address. */
const MARK = '\uFDD1';

/** The text with marks in place of the spans, of the same length and with the same lines. Spans are in order and do not overlap. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(from, start), mask(text.slice(start, end)));
    from = end;
  }
  return parts.join('') + text.slice(from);
}

/** What begins a line stays: without it the list or quotation around it would end. */
function mask(text: string): string {
  const [first = '', ...others] = text.split('\n');
  const rest = others.map((line) => {
    const prefix = /^[ \t]*(?:>[ \t]?)*[ \t]*/.exec(line)?.[0] ?? '';
    return prefix + MARK.repeat(line.length - prefix.length);
  });
  return [MARK.repeat(first.length), ...rest].join('\n');
}

/** The spans that neither begin nor end in code, addresses or raw HTML; in order, none within another. */
export function selectText<S extends Span>(spans: readonly S[], source: string, blocks: readonly Block[]): S[] {
  if (spans.length === 0) return [];
  const isText = createTextTest(source, blocks);
  return dropOverlaps(spans.filter(({ start, end }) => isText(start) && isText(end - 1)));
}

/** Whether a position is in none of these. */
export function createTextTest(source: string, blocks: readonly Block[]): (position: number) => boolean {
  const others = listOthers(source, blocks).sort((left, right) => left.start - right.start);
  return (position) => {
    let low = 0;
    let high = others.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((others[middle]?.end ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return (others[low]?.start ?? Number.POSITIVE_INFINITY) > position;
  };
}

function listOthers(source: string, blocks: readonly Block[]): Span[] {
  const spans: Span[] = [];
  for (const block of blocks) {
    if (block.kind === 'fence') spans.push({ start: block.open.start, end: block.end });
    if (block.kind === 'html' || block.kind === 'indented') spans.push(...merge(block.lines));
  }
  for (const { regions, toSource } of readProse(source, blocks))
    for (const { start, end } of regions) spans.push({ start: toSource(start), end: toSource(end - 1) + 1 });
  return spans;
}

function merge(lines: readonly Span[]): Span[] {
  const [first] = lines;
  return first === undefined ? [] : [{ start: first.start, end: lines.at(-1)?.end ?? first.end }];
}
