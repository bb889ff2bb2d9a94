/** Reads rows of GFM tables. */
import type { Span } from './block-types.ts';

/** The cells of a row without the pipes. */
export function splitCells(source: string, row: Span): Span[] {
  const cells: Span[] = [];
  let start = row.start;
  for (let at = row.start; at < row.end; at += 1) {
    if (source[at] === '\\') {
      at += 1;
    } else if (source[at] === '|') {
      cells.push({ start, end: at });
      start = at + 1;
    }
  }
  cells.push({ start, end: row.end });
  // Pipes at the edges open no cell.
  if (cells.length > 1 && source.slice(cells[0]?.start, cells[0]?.end).trim() === '') cells.shift();
  const last = cells.at(-1);
  if (cells.length > 1 && last && source.slice(last.start, last.end).trim() === '') cells.pop();
  return cells;
}

/** True if `row` is the delimiter row of a table head with the same number of columns. */
export function isDelimiterRow(source: string, head: Span, row: Span): boolean {
  const text = source.slice(row.start, row.end);
  if (!/^[|:\- \t]+$/.test(text) || !/[|:]/.test(text)) return false;
  const columns = splitCells(source, row);
  return (
    columns.every((cell) => /^[ \t]*:?-+:?[ \t]*$/.test(source.slice(cell.start, cell.end))) &&
    columns.length === splitCells(source, head).length
  );
}
