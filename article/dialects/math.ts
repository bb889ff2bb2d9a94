/** Math in TeX: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`, with one backslash or two. Prices and shell variables stay text. */
import type { PhrasingContent } from 'mdast';
import { isEscaped, type Piece } from './spans.ts';

/** As pandoc and GitHub do: no blank within the marks, no digit after them. */
const DOLLAR = /(?<![\\$\w])\$(?![\s$])([^$\n]{0,500}?[^\s\\$])\$(?![\w$({])/g;
const DOLLARS = /(?<![\\$\w])\$\$(?!\$)([^$]{1,3000}?)\$\$(?![$\w])/g;
/** Of as many backslashes before as behind: `\\)` is a backslash and a parenthesis where `\(` has begun. */
const PARENTHESES = /(?<!\\)(\\{1,2})\((?!\s*\))([^\n$]{0,499}?[^\n$\\])\1\)/g;
const BRACKETS = /(?<=(?:^|\n)[ \t>]{0,20})(\\{1,2})\[([^$]{0,2999}?[^$\\])\1\](?=[ \t]*(?:\n|$))/g;
/** As Forem's authors write it, and as Forem takes it. */
const KATEX =
  /\{%-?[ \t]{0,9}katex([ \t]{1,9}inline)?[ \t]{0,9}-?%\}((?:(?!\{[{%])[\s\S]){1,3000})\{%-?[ \t]{0,9}endkatex[ \t]{0,9}-?%\}/g;
/** Each of them is looked at far ahead, so a text with more has none that is math. */
const MOST_BACKSLASHES = 5_000;
const SIGN = /[\\^_={}<>+|]/;

export function findMath(text: string): Piece[] {
  const pieces: Piece[] = [];
  const add = (pattern: RegExp, display: 'inline' | 'block', isMath: (tex: string) => boolean): void => {
    for (const match of text.matchAll(pattern)) {
      // With one group the content is the first, with two the backslashes are.
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
  if (backslashes === 0 || backslashes > MOST_BACKSLASHES) return pieces;
  // `\(` alone is the way to write a parenthesis that is text.
  add(PARENTHESES, 'inline', (tex) => SIGN.test(tex) || /^\w$/.test(tex));
  add(BRACKETS, 'block', (tex) => SIGN.test(tex) && !tex.includes(']('));
  return pieces;
}

/** Words between two prices are not math. */
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
