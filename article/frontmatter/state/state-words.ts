/** Words and names that authors use for "public" and "not public". */
import type { FieldNode } from '../field-node.ts';
import { FALSE_WORDS, TRUE_WORDS } from '../field-reader.ts';

const MORE_TRUE = new Set(['1', 'x', '✓', '✔', '✅']);
const MORE_FALSE = new Set(['0', 'none', 'never', 'later', 'not yet', 'notyet', 'tbd', 'null']);

export function readWord(node: FieldNode & { kind: 'scalar' }): string {
  const text = typeof node.value === 'string' ? node.value : node.text;
  return text.trim().toLowerCase();
}

export function isYesWord(word: string): boolean {
  return TRUE_WORDS.has(word) || MORE_TRUE.has(word);
}

export function isNoWord(word: string): boolean {
  return FALSE_WORDS.has(word) || MORE_FALSE.has(word);
}

/** True for a likely typo: one letter missing, added, replaced or swapped; two in a long name. */
export function looksLikeName(name: string, known: string): boolean {
  let [start, end] = [0, 0];
  while (start < known.length && name[start] === known[start]) start += 1;
  while (end < Math.min(name.length, known.length) - start && name.at(-1 - end) === known.at(-1 - end)) end += 1;
  const [wrong, right] = [name.slice(start, name.length - end), known.slice(start, known.length - end)];
  const isSwapped = wrong.length === 2 && wrong === [...right].reverse().join('');
  return isSwapped || Math.max(wrong.length, right.length) <= (known.length > 7 ? 2 : 1);
}
