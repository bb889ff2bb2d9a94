/** Removes a first heading that repeats the title, which platforms show above the text. */
import type { TextEdit } from '../../../article/markdown/edits.ts';
import type { Block } from './block-types.ts';

/** Removes the document's first block if it is an H1 with the text of the title. */
export function removeTitleHeading(source: string, blocks: readonly Block[], title: string): TextEdit[] {
  const first = blocks[0];
  if (first?.kind !== 'heading' || first.level !== 1 || first.depth > 0) return [];
  const text = first.lines.map((line) => source.slice(line.start, line.end)).join(' ');
  if (fold(text) !== fold(title)) return [];
  let end = first.end;
  while (end < source.length && /[ \t\r\n]/.test(source[end] ?? '')) end += 1;
  // Spaces before the next block belong to its first line (indented code).
  const lineStart = source.lastIndexOf('\n', end - 1) + 1;
  return [{ start: first.start, end: Math.max(first.end, lineStart), text: '' }];
}

/** Case, white space and marks of emphasis or code do not count. */
function fold(text: string): string {
  return text
    .replace(/[*_`~\\]/g, '')
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
