/** Finds TeX: `$…$`, `$$…$$`, `\(…\)`, `\[…\]` (one or two backslashes). Prices stay text. */
import type { PhrasingContent } from 'mdast';
import { isEscaped, type Piece } from '../spans.ts';

/** As in pandoc and GitHub: no blank inside the marks, no digit after them. */
const DOLLAR = /(?<![\\$\w])\$(?![\s$])([^$\n]{0,500}?[^\s\\$])\$(?![\w$({])/g;
const DOLLARS = /(?<![\\$\w])\$\$(?!\$)([^$]{1,3000}?)\$\$(?![$\w])/g;
/** Both ends have equally many backslashes: after `\(`, `\\)` is a backslash and a parenthesis. */
const PARENTHESES = /(?<!\\)(\\{1,2})\((?!\s*\))([^\n$]{0,499}?[^\n$\\])\1\)/g;
const BRACKETS = /(?<=(?:^|\n)[ \t>]{0,20})(\\{1,2})\[([^$]{0,2999}?[^$\\])\1\](?=[ \t]*(?:\n|$))/g;
const KATEX =
  /\{%-?[ \t]{0,9}katex([ \t]{1,9}inline)?[ \t]{0,9}-?%\}((?:(?!\{[{%])[\s\S]){1,3000})\{%-?[ \t]{0,9}endkatex[ \t]{0,9}-?%\}/g;
/** Each match scans far ahead, so a text with more has no math between backslashes. */
const MAX_BACKSLASHES = 5_000;
const SIGN = /[\\^_={}<>+|]/;

export function findMath(text: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (pattern: RegExp, display: 'inline' | 'block', isMath: (tex: string) => boolean): void => {
    for (const match of text.matchAll(pattern)) {
      // With one group it is the content; with two, the first has the backslashes.
      const tex = match[2] ?? match[1] ?? '';
      if (isMath(tex)) pieces.push(build(match, tex, display));
    }
  };
  if (text.includes('$')) {
    add(DOLLARS, 'block', isTex);
    add(DOLLAR, 'inline', isTex);
  }
  if (text.includes('katex')) {
    for (const match of text.matchAll(KATEX))
      if (match[2]?.trim() && !isEscaped(text, match.index))
        pieces.push(build(match, match[2], match[1] === undefined ? 'block' : 'inline'));
  }
  const backslashes = text.match(/\\[([]/g)?.length ?? 0;
  if (backslashes === 0 || backslashes > MAX_BACKSLASHES) return pieces;
  // `\(` alone is an escaped parenthesis.
  add(PARENTHESES, 'inline', (tex) => SIGN.test(tex) || /^\w$/.test(tex));
  add(BRACKETS, 'block', (tex) => SIGN.test(tex) && !tex.includes(']('));
  return pieces;
}

function isTex(text: string): boolean {
  if (/\n[ \t>]*\n/.test(text) || !/[\p{L}\d]/u.test(text)) return false;
  return SIGN.test(text) || /^[ \t]*\n/.test(text) || !/\s/.test(text) || !/\p{L}{2}|\d\s*$/u.test(text);
}

function build(match: RegExpExecArray, tex: string, display: 'inline' | 'block'): Piece {
  const value = tex
    .split('\n')
    .map((line, index) => (index === 0 ? line : line.replace(/^[ \t]*(?:>[ \t]?)+/, '')))
    .join('\n')
    .trim();
  const className = display === 'block' ? ['language-math', 'math-display'] : ['language-math'];
  const node: PhrasingContent = { type: 'inlineCode', value, data: { hProperties: { className } } };
  return { start: match.index, end: match.index + match[0].length, node };
}
