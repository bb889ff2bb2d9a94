/** Matches the lines of fences, GFM tables and raw HTML blocks (CommonMark 0.31, 4.5 and 4.6). */
import type { FenceBlock, Span } from './block-types.ts';
import type { LineCursor } from './lines.ts';

/** An open fence. Its lines lose up to as much indentation as its first line has. */
export interface OpenFence {
  kind: 'fence';
  block: FenceBlock;
  indent: number;
}

/** `length` is the length of the opening run. */
export function openFence(source: string, cursor: LineCursor, line: Span, length: number): OpenFence {
  const start = cursor.contentStart();
  const open = { start, end: start + length };
  const prefix = source.slice(line.start, start).replace(/[^>\s]/g, ' ');
  const info = { start: open.end, end: line.end };
  return {
    kind: 'fence',
    indent: cursor.indent(),
    block: { kind: 'fence', open, info, lines: [], close: null, prefix, end: line.end },
  };
}

export function closesFence({ open }: FenceBlock, cursor: LineCursor): boolean {
  if (cursor.indent() > 3) return false;
  const run = readFenceRun(cursor);
  const isSame = cursor.source[run.start] === cursor.source[open.start];
  return (
    isSame && run.end - run.start >= open.end - open.start && cursor.source.slice(run.end, cursor.end).trim() === ''
  );
}

/** The run of equal characters that the line begins with. */
export function readFenceRun(cursor: LineCursor): Span {
  const start = cursor.contentStart();
  let end = start;
  while (end < cursor.end && cursor.source[end] === cursor.source[start]) end += 1;
  return { start, end };
}

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

const ATTRIBUTE = String.raw`\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>${'`'}]+|'[^']*'|"[^"]*"))?`;
const TAG = String.raw`<(?:[a-z][a-z0-9-]*(?:${ATTRIBUTE})*\s*\/?|\/[a-z][a-z0-9-]*\s*)>`;

/** Matches one tag at `lastIndex`. Each scan needs a new pattern. */
export function buildTagPattern(): RegExp {
  return new RegExp(TAG, 'iy');
}

const BLOCK_NAMES = `address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|
dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|
menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul`;

const MARKED_BLOCKS: readonly { start: RegExp; end: RegExp }[] = [
  { start: /^<(?:script|pre|textarea|style)(?:\s|>|$)/i, end: /<\/(?:script|pre|textarea|style)>/i },
  { start: /^<!--/, end: /-->/ },
  { start: /^<\?/, end: /\?>/ },
  { start: /^<![a-z]/i, end: />/ },
  { start: /^<!\[CDATA\[/, end: /\]\]>/ },
];
const BLOCK_TAG = new RegExp(`^</?(?:${BLOCK_NAMES.replace(/\s/g, '')})(?:\\s|/?>|$)`, 'i');
const LONE_TAG = new RegExp(`^${TAG}\\s*$`, 'i');

/** The pattern that ends a block which starts here; null: a blank line. Undefined: no block. */
export function findHtmlBlockEnd(rest: string, interrupts: boolean): RegExp | null | undefined {
  if (!rest.startsWith('<')) return undefined;
  const marked = MARKED_BLOCKS.find(({ start }) => start.test(rest));
  if (marked) return marked.end;
  if (BLOCK_TAG.test(rest)) return null;
  // Any other tag alone on a line also begins a block, but cannot interrupt a paragraph.
  return !interrupts && LONE_TAG.test(rest) ? null : undefined;
}
