/**
 * Hides syntax that MDX would read as an expression or a tag: math (`$x_{1}$`), heading ids, wiki
 * links, shortcodes, marks of alerts and containers.
 */
import type { Root } from 'mdast';
import { findPieces, isWithin, listMarkedCode } from './parse-dialects.ts';
import { dropOverlaps, HAS_MASK, maskPieces, type Piece } from './spans.ts';

export interface HiddenDialects {
  /** Has the same length and the same lines as the original. */
  text: string;
  /** Puts hidden syntax back into a part of `text`, or into Markdown that was made from it. */
  restore: (part: string) => string;
}

/** Private-use code points, one per piece. */
const FIRST_TOKEN = 0x100000;
const MAX_PIECES = 60_000;
const TOKEN = /([\u{100000}-\u{10fffd}])\ufdd1*/gu;
const HAS_TOKEN = /[\u{100000}-\u{10fffd}]/u;
const ALERT_MARK = /(?<=(?:^|\n)[ \t]{0,20}(?:>[ \t]?){1,5})\[![a-z]{3,20}\]/gi;

export function hideDialects(body: string, parse: (text: string) => Root): HiddenDialects {
  const pieces = HAS_MASK.test(body) || HAS_TOKEN.test(body) ? [] : findHidden(body, parse);
  return {
    text: maskPieces(body, pieces, (index) => String.fromCodePoint(FIRST_TOKEN + index)),
    restore: (part) =>
      part.replace(TOKEN, (_, token: string) => {
        const piece = pieces[(token.codePointAt(0) ?? 0) - FIRST_TOKEN];
        return piece === undefined ? '' : body.slice(piece.start, piece.end);
      }),
  };
}

function findHidden(body: string, parse: (text: string) => Root): Piece[] {
  const code = listMarkedCode(parse(body), body);
  const isText = (offset: number): boolean => !isWithin(code, offset) && !isInStatement(body, offset);
  const alerts = [...body.matchAll(ALERT_MARK)].map(({ 0: mark, index }) => ({
    start: index,
    end: index + mark.length,
  }));
  const found = dropOverlaps([...findPieces(body, isText).pieces, ...alerts.filter(({ start }) => isText(start))]);
  // A tag between two marks belongs to MDX.
  const hidden = found.filter(({ start, end }) => !/<\/?[A-Za-z]/.test(body.slice(start, end)));
  // Pieces that are removed later are hidden too: `restore` puts them back into the Markdown.
  return hidden.slice(0, MAX_PIECES).map(({ start, end }) => ({ start, end, node: { type: 'text', value: '' } }));
}

/** True in a block that begins with `import` or `export`, which is JavaScript. */
function isInStatement(body: string, offset: number): boolean {
  const start = body.lastIndexOf('\n\n', offset);
  return /^\s*(?:import|export)\s/.test(body.slice(start === -1 ? 0 : start, Math.min(offset, start + 200)));
}
