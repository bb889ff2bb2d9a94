/** Shows the place in a file: the line, and a caret below the column. */
import stringWidth from 'fast-string-width';
import { neutraliseLine } from './output.ts';

/** Wide enough for most lines of frontmatter. */
const MOST_WIDTH = 100;
const LEAST_WIDTH = 20;
/** What stands beside the excerpt: its indent, the number of the line, and a mark where it is cut at either end. */
const AROUND = 12;
/** Of the width, before the column, where the line has to be cut. */
const BEFORE = 0.6;

/**
 * Two lines; none where the text has no such line. `line` and `column` count from 1. They fit into `columns`: below a line that wraps, the caret would
 * point at something else.
 */
export function showExcerpt(
  text: string,
  { line, column }: { line?: number; column?: number },
  columns: number | null = null,
): string[] {
  const content = line === undefined ? undefined : text.split(/\r\n?|\n/)[line - 1];
  if (line === undefined || content === undefined || content.trim() === '') return [];
  const room = Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, (columns ?? Number.POSITIVE_INFINITY) - AROUND));
  // In characters: Japanese ones take two places each.
  const width = Math.floor(room / Math.max(1, stringWidth(clean(content)) / content.length));
  const at = Math.max(0, Math.min((column ?? 1) - 1, content.length));
  const from = at > width - 1 ? at - Math.floor(width * BEFORE) : 0;
  const number = String(line).padStart(4);
  const shown = `${from > 0 ? '…' : ''}${clean(content.slice(from, from + width))}`;
  const lines = [`${number} | ${shown}${content.length > from + width ? '…' : ''}`];
  if (column === undefined) return lines;
  const before = `${from > 0 ? '…' : ''}${clean(content.slice(from, at))}`;
  return [...lines, `${' '.repeat(number.length)} | ${' '.repeat(stringWidth(before))}^`];
}

/** A tab would move the caret; a control becomes visible, and longer. */
function clean(text: string): string {
  return neutraliseLine(text.replaceAll('\t', ' '));
}
