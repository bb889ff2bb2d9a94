/**
 * Forem lengthens every `---` at the start of a line, from the third on, so that it is not read as
 * front matter. Rules and underlines are unaffected. A line of code (YAML documents, a diff)
 * changes, and there is no escape.
 */

import type { TextEdit } from '../../article/markdown/edits.ts';
import type { Notice } from '../../article/types.ts';
import type { Block } from '../format/markdown/block-types.ts';
import { findLine } from '../format/markdown/prose.ts';
import { LABEL } from './limits.ts';

const UNCHANGED_LINES = 2;

/**
 * Writes rules differently, so that fewer lines count. Reports the first line of code that Forem
 * still changes.
 */
export function rewriteRules(source: string, blocks: readonly Block[]): { edits: TextEdit[]; losses: Notice[] } {
  const dashes = [...source.matchAll(/^---/gm)].map(({ index }) => index);
  if (dashes.length <= UNCHANGED_LINES) return { edits: [], losses: [] };
  const code = new Set<number>();
  const rules = new Map<number, TextEdit>();
  for (const block of blocks) {
    if (block.kind === 'rule') rules.set(block.start, { start: block.start, end: block.end, text: '***' });
    else if (block.kind === 'fence' || block.kind === 'html') for (const { start } of block.lines) code.add(start);
  }
  if (!dashes.some((at) => code.has(at))) return { edits: [], losses: [] };
  const edits = dashes.flatMap((at) => rules.get(at) ?? []);
  const changed = dashes.filter((at) => !rules.has(at)).find((at, index) => index >= UNCHANGED_LINES && code.has(at));
  if (changed === undefined) return { edits, losses: [] };
  const message = `${LABEL} adds dashes to the third and every further line that begins with ---, also in code.`;
  return { edits, losses: [{ code: 'code_changed', message, line: findLine(source, changed) }] };
}
