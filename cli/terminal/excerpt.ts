/** Formats an excerpt of a file: a line, and a caret below the column. */
import stringWidth from 'fast-string-width';
import { neutraliseLine } from './output.ts';

/** Enough for most lines of frontmatter. */
const MAX_COLUMNS = 100;
const MIN_COLUMNS = 20;
/** Columns beside the excerpt: indent, line number, and a mark at each cut end. */
const RESERVED_COLUMNS = 12;
/** Share of the width that precedes the column in a cut line. */
const SHARE_BEFORE_COLUMN = 0.6;

/**
 * Returns two lines, or none if the text has no such line. `line` and `column` count from 1. The
 * lines fit into `columns`: below a wrapped line the caret would point at the wrong character.
 */
export function showExcerpt(
  text: string,
  { line, column }: { line?: number; column?: number },
  columns: number | null = null,
): string[] {
  const content = line === undefined ? undefined : text.split(/\r\n?|\n/)[line - 1];
  if (line === undefined || content === undefined || content.trim() === '') return [];
  const maxColumns = Math.max(
    MIN_COLUMNS,
    Math.min(MAX_COLUMNS, (columns ?? Number.POSITIVE_INFINITY) - RESERVED_COLUMNS),
  );
  // In characters. Japanese characters are two columns wide.
  const width = Math.floor(maxColumns / Math.max(1, stringWidth(clean(content)) / content.length));
  const index = Math.max(0, Math.min((column ?? 1) - 1, content.length));
  const start = index > width - 1 ? index - Math.floor(width * SHARE_BEFORE_COLUMN) : 0;
  const number = String(line).padStart(4);
  const visible = `${start > 0 ? '…' : ''}${clean(content.slice(start, start + width))}`;
  const lines = [`${number} | ${visible}${content.length > start + width ? '…' : ''}`];
  if (column === undefined) return lines;
  const prefix = `${start > 0 ? '…' : ''}${clean(content.slice(start, index))}`;
  return [...lines, `${' '.repeat(number.length)} | ${' '.repeat(stringWidth(prefix))}^`];
}

/** A tab would shift the caret; controls are visible as escapes, which are longer. */
function clean(text: string): string {
  return neutraliseLine(text.replaceAll('\t', ' '));
}
