/** Masks pieces that CommonMark would misread before it parses, and restores them in the tree. */
import type { PhrasingContent } from 'mdast';
import type { Loss } from './losses.ts';

export interface Span {
  start: number;
  end: number;
}

export interface Piece extends Span {
  /** Replaces the piece; undefined removes it. */
  node?: PhrasingContent;
  /** The author is warned of the first piece of each kind. */
  loss?: Loss;
  /** As long as the piece. Only for a piece with a node. */
  mask?: string;
}

/** Noncharacters, which have no meaning in any text. */
const FIRST = '\uFDD0';
const REST = '\uFDD1';
/**
 * Masks an escape. It is punctuation, because the characters beside a `*` decide whether it opens
 * or closes. Its script (Rejang) is no longer written.
 */
export const ESCAPE_MASK = '\uA95F\uA95F';
export const MASK = /\uFDD0\uFDD1*|\uA95F\uA95F/g;
export const HAS_MASK = /[\uFDD0\uFDD1\uA95F]/;

/**
 * Replaces the pieces with blanks or marks of the same length, with the same lines.
 * `token` returns a mark for each piece, of at most two units.
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

/** Quotation marks at line starts stay, because without them the quotation would end. */
function mask(text: string, mark: string | null): string {
  const [first = '', ...others] = text.split('\n');
  const begin = mark === null ? ' '.repeat(first.length) : mark + REST.repeat(Math.max(0, first.length - mark.length));
  const rest = others.map((line) => {
    const quote = /^[ \t]*(?:>[ \t]?)*/.exec(line)?.[0] ?? '';
    return quote + ' '.repeat(line.length - quote.length);
  });
  return [begin, ...rest].join('\n');
}

/** Before text on its line, an empty node: blanks could turn that text into code. */
export function buildPiece(text: string, match: RegExpExecArray, rest: Omit<Piece, 'start' | 'end'>): Piece {
  const end = match.index + match[0].length;
  const isLast = /^[ \t]*(?:\n|$)/.test(text.slice(end, end + 100));
  return { start: match.index, end, ...(isLast ? {} : { node: { type: 'text', value: '' } }), ...rest };
}

/** True if an odd number of backslashes precedes `at`: two of them are one escaped backslash. */
export function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === '\\') start -= 1;
  return (at - start) % 2 === 1;
}

/** Sorted. Of two overlapping spans the earlier counts, then the longer. */
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
