/** Writes formulas for Hashnode: `\\(…\\)` inline (two backslashes), `$$…$$` as a block. */
import type { TextEdit } from '../../article/markdown/edits.ts';
import type { Formula } from '../format/markdown/marks.ts';

/** A `$$` block ends at the first dollar sign inside, so TeX with one cannot be a block. */
const INLINE = ['\\\\(', '\\\\)'] as const;
const BLOCK = ['$$', '$$'] as const;

/** Null if Hashnode has no syntax for the formula: it stays code. */
export function writeFormula(source: string, formula: Formula): TextEdit[] | null {
  const { start, end, tex, fence, isDisplay } = formula;
  if (fence !== undefined) {
    if (fence.close === null || tex.includes('$')) return null;
    return [
      { start, end: fence.info.end, text: BLOCK[0] },
      { ...fence.close, text: BLOCK[1] },
    ];
  }
  const written = source.slice(start, end);
  if (written.startsWith('{%')) {
    const marks = isDisplay && isBlock(source, formula) ? BLOCK : INLINE;
    return tex.includes('$') ? null : [{ start, end, text: marks.join(tex) }];
  }
  const length = /^(?:\${1,2}|\\{1,2}[([])/.exec(written)?.[0].length ?? 0;
  const [open, close] = isDisplay && isBlock(source, formula) ? BLOCK : INLINE;
  return [
    { start, end: start + length, text: open },
    { start: end - length, end, text: close },
  ];
}

/** Alone between blank lines, apart from the marks of the quotation or list around it. */
function isBlock(source: string, { start, end }: Formula): boolean {
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const above = source.slice(source.lastIndexOf('\n', lineStart - 2) + 1, Math.max(0, lineStart - 1));
  const isFirst = lineStart === 0 || /^[\s>]*$/.test(above);
  const before = source.slice(lineStart, start);
  const isItem = /^[\s>]*(?:[-+*]|\d{1,9}[.)])[ \t]+$/.test(before);
  return (isItem || (isFirst && /^[\s>]*$/.test(before))) && /^[ \t]*(?:\r?\n|$)/.test(source.slice(end, end + 100));
}
