/** Records syntax that pages leave out or show as text, each kind with its first line. */
import type { Root } from 'mdast';
import type { Notice } from '../types.ts';
import type { Piece } from './spans.ts';

const losses = new WeakMap<Root, Notice[]>();

export function rememberLosses(tree: Root, pieces: readonly Piece[], body: string): void {
  const first = new Map<string, Notice>();
  for (const { start, loss } of pieces.toSorted((a, b) => a.start - b.start)) {
    if (loss === undefined || first.has(loss.code)) continue;
    first.set(loss.code, { ...loss, path: 'content', line: body.slice(0, start).split('\n').length });
  }
  if (first.size > 0) losses.set(tree, [...first.values()]);
}

/** `bodyLine` is the line of the document on which the body begins. */
export function listLosses(tree: Root, bodyLine: number): Notice[] {
  return (losses.get(tree) ?? []).map((notice) => ({ ...notice, line: (notice.line ?? 1) + bodyLine - 1 }));
}
