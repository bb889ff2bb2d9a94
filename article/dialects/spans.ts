/**
 * Pieces of a text that CommonMark would misread (math, comments, marks of containers). They are masked before the text
 * is parsed and put back into the tree, so that everything else keeps its position and nothing in them is taken for
 * Markdown.
 */
import type { PhrasingContent } from 'mdast';

export interface Span {
  start: number;
  end: number;
}

export interface Piece extends Span {
  /** What stands in its place; undefined if it is taken out. */
  node?: PhrasingContent;
  /** The author is told of the first piece of each kind that is lost. */
  loss?: Loss;
  /** As long as the piece; for one with a node. */
  mask?: string;
}

export interface Loss {
  code: string;
  message: string;
}

/** Code points that are no characters, so that no text has a meaning for them. */
const FIRST = '\uFDD0';
const REST = '\uFDD1';
/**
 * For an escape, of two units: punctuation, since by what is beside a star CommonMark tells whether it opens or closes emphasis. A sign of a script that is
 * written no more.
 */
export const ESCAPE_MASK = '\uA95F\uA95F';
export const MASK = /\uFDD0\uFDD1*|\uA95F\uA95F/g;
export const MASKS = /[\uFDD0\uFDD1\uA95F]/;

/**
 * The text with blanks or marks in place of the pieces, of the same length and with the same lines. `token` gives each its
 * own mark, of two units at most.
 */
export function maskPieces(text: string, pieces: readonly Piece[], token?: (index: number) => string): string {
  const parts: string[] = [];
  let from = 0;
  for (const [index, piece] of pieces.entries()) {
    const mark = piece.node === undefined ? null : (token?.(index) ?? piece.mask ?? FIRST);
    parts.push(text.slice(from, piece.start), mask(text.slice(piece.start, piece.end), mark));
    from = piece.end;
  }
  return parts.join('') + text.slice(from);
}

/** Marks of quotations at the beginnings of lines stay, because without them the quotation would end. */
function mask(text: string, mark: string | null): string {
  const [first = '', ...others] = text.split('\n');
  const begin = mark === null ? ' '.repeat(first.length) : mark + REST.repeat(Math.max(0, first.length - mark.length));
  const rest = others.map((line) => {
    const quote = /^[ \t]*(?:>[ \t]?)*/.exec(line)?.[0] ?? '';
    return quote + ' '.repeat(line.length - quote.length);
  });
  return [begin, ...rest].join('\n');
}

/** The piece of a match. One that is taken out before words leaves a node, because blanks would make indented code of them. */
export function buildPiece(text: string, match: RegExpExecArray, rest: Omit<Piece, 'start' | 'end'>): Piece {
  const end = match.index + match[0].length;
  const isLast = /^[ \t]*(?:\n|$)/.test(text.slice(end, end + 100));
  return { start: match.index, end, ...(isLast ? {} : { node: { type: 'text', value: '' } }), ...rest };
}

/** True where a backslash makes text of what begins here. Of two, the first makes text of the second. */
export function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
}

/** In order; of two that overlap, the one that begins first counts. */
export function dropOverlaps<S extends Span>(spans: readonly S[]): S[] {
  let end = 0;
  return [...spans]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter((span) => {
      if (span.start < end) return false;
      end = span.end;
      return true;
    });
}
