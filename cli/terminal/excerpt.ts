/** Shows the place in a file: the line, and a caret below the column. */
import stringWidth from 'fast-string-width';
import { neutraliseLine } from './output.ts';

/** Wide enough for most lines of frontmatter, narrow enough for most terminals. */
const WIDTH = 100;
/** Before the column, where the line has to be cut. */
const BEFORE = 60;

/** Two lines; none where the text has no such line. `line` and `column` count from 1. */
export function showExcerpt(text: string, { line, column }: { line?: number; column?: number }): string[] {
  const content = line === undefined ? undefined : text.split(/\r\n?|\n/)[line - 1];
  if (line === undefined || content === undefined || content.trim() === '') return [];
  const at = Math.max(0, Math.min((column ?? 1) - 1, content.length));
  const from = at > WIDTH - 1 ? at - BEFORE : 0;
  const number = String(line).padStart(4);
  const shown = `${from > 0 ? '…' : ''}${clean(content.slice(from, from + WIDTH))}`;
  const lines = [`${number} | ${shown}${content.length > from + WIDTH ? '…' : ''}`];
  if (column === undefined) return lines;
  const before = `${from > 0 ? '…' : ''}${clean(content.slice(from, at))}`;
  return [...lines, `${' '.repeat(number.length)} | ${' '.repeat(stringWidth(before))}^`];
}

/** A tab would move the caret; a control becomes visible, and longer. */
function clean(text: string): string {
  return neutraliseLine(text.replaceAll('\t', ' '));
}
