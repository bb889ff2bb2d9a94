/**
 * Hides what MDX would take for an expression or a tag, and what writing a block anew would escape: math (`$x_{1}$`), ids of
 * headings (`{#id}`), wiki links, shortcodes, marks of alerts and containers. The Markdown that comes of it has them again.
 */
import type { Root } from 'mdast';
import { findPieces, isWithin, listMarkedCode } from './parse-dialects.ts';
import { dropOverlaps, MASKS, maskPieces, type Piece } from './spans.ts';

export interface HiddenDialects {
  /** Of the same length and with the same lines. */
  text: string;
  /** What was hidden in a part of the text, or in what was made of it, is there again. */
  restore: (part: string) => string;
}

/** Code points for private use, one for each piece. */
const FIRST_TOKEN = 0x100000;
const MOST = 60_000;
const TOKEN = /([\u{100000}-\u{10fffd}])\ufdd1*/gu;
const HAS_TOKEN = /[\u{100000}-\u{10fffd}]/u;
const ALERT_MARK = /(?<=(?:^|\n)[ \t]{0,20}(?:>[ \t]?){1,5})\[![a-z]{3,20}\]/gi;

export function hideDialects(body: string, parse: (text: string) => Root): HiddenDialects {
  const pieces = MASKS.test(body) || HAS_TOKEN.test(body) ? [] : findHidden(body, parse);
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
  // A tag between two marks is one of MDX.
  const hidden = found.filter(({ start, end }) => !/<\/?[A-Za-z]/.test(body.slice(start, end)));
  // What is taken out is hidden too: it comes back, and is taken out of the Markdown.
  return hidden.slice(0, MOST).map(({ start, end }) => ({ start, end, node: { type: 'text', value: '' } }));
}

/** In a block that begins with `import` or `export`, which is JavaScript. */
function isInStatement(body: string, offset: number): boolean {
  const start = body.lastIndexOf('\n\n', offset);
  return /^\s*(?:import|export)\s/.test(body.slice(start === -1 ? 0 : start, Math.min(offset, start + 200)));
}
