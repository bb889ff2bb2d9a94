/** Matches the opening and closing lines of fenced code. */
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
