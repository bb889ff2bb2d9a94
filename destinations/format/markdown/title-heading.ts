/** Platforms show the title above the text, so a first heading that repeats it is removed. */

import type { Edit } from '../../../article/markdown/edits.ts';
import type { Block } from './block-types.ts';

/** An edit that removes the document's first block where it is an H1 that says the same as the title; else none. */
export function removeTitleHeading(source: string, blocks: readonly Block[], title: string): Edit[] {
  const first = blocks[0];
  if (first?.kind !== 'heading' || first.level !== 1 || first.depth > 0) return [];
  const text = first.lines.map((line) => source.slice(line.start, line.end)).join(' ');
  if (fold(text) !== fold(title)) return [];
  let end = first.end;
  while (end < source.length && /[ \t\r\n]/.test(source[end] ?? '')) end += 1;
  // Spaces that open the next block's first line belong to it (indented code).
  const lineStart = source.lastIndexOf('\n', end - 1) + 1;
  return [{ start: first.start, end: Math.max(first.end, lineStart), text: '' }];
}

/** Case, white space and marks of emphasis or code do not make another title. */
function fold(text: string): string {
  return text
    .replace(/[*_`~\\]/g, '')
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
