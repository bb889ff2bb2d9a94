/** Matches quotes, list items and footnotes (CommonMark 0.31, 5.1 and 5.2). */
import type { FootnoteBlock } from './block-types.ts';
import type { LineCursor } from './lines.ts';

/** Deeper marks are text. Each level costs time on every line, and no document needs more. */
export const MAX_DEPTH = 100;

export type Container =
  | { kind: 'quote' }
  | { kind: 'item'; width: number; isEmpty: boolean }
  | { kind: 'footnote'; block: FootnoteBlock };

/** Skips the marks that continue an open container. False if the line does not continue it. */
export function matchContainer(container: Container, cursor: LineCursor): boolean {
  if (container.kind === 'quote') {
    if (cursor.indent() > 3 || cursor.source[cursor.contentStart()] !== '>' || cursor.isBlank()) return false;
    skipQuoteMark(cursor);
    return true;
  }
  if (cursor.isBlank()) return container.kind === 'footnote' || !container.isEmpty;
  const width = container.kind === 'footnote' ? 4 : container.width;
  if (cursor.indent() < width) return false;
  cursor.skipColumns(width);
  if (container.kind === 'item') container.isEmpty = false;
  return true;
}

function skipQuoteMark(cursor: LineCursor): void {
  cursor.skipColumns(3);
  cursor.skipCharacters(1);
  cursor.skipColumns(1);
}

/** Reads the mark of a container and moves past it. */
export function readContainer(cursor: LineCursor, interrupts: boolean): Container | null {
  const rest = cursor.rest();
  if (rest.startsWith('>')) {
    skipQuoteMark(cursor);
    return { kind: 'quote' };
  }
  const note = /^\[\^([^\]\s[]{1,999})\]:[ \t]*/.exec(rest);
  if (note) {
    const start = cursor.contentStart();
    cursor.skipColumns(3);
    cursor.skipCharacters(note[0].trimEnd().length);
    const block: FootnoteBlock = {
      kind: 'footnote',
      label: note[1] ?? '',
      start,
      contentStart: start + note[0].length,
      end: cursor.end,
    };
    cursor.skipColumns(Number.MAX_SAFE_INTEGER);
    return { kind: 'footnote', block };
  }
  const mark = /^(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/.exec(rest);
  if (!mark) return null;
  const isEmpty = rest.slice(mark[0].length).trim() === '';
  if (interrupts && (isEmpty || (mark[1] !== undefined && Number(mark[1]) !== 1))) return null;
  const before = cursor.indent();
  cursor.skipColumns(before);
  cursor.skipCharacters(mark[0].length);
  // Five columns or more after the mark are one column and indented code.
  const after = isEmpty || cursor.indent() > 4 ? 1 : cursor.indent();
  cursor.skipColumns(after);
  return { kind: 'item', width: before + mark[0].length + after, isEmpty };
}
