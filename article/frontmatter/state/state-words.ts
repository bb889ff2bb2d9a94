/** Words and names that authors use for "public" and "not public". */
import type { FieldNode } from '../field-node.ts';
import { FALSE_WORDS, TRUE_WORDS } from '../field-reader.ts';

const MORE_TRUE = new Set(['1', 'x', '✓', '✔', '✅']);
const MORE_FALSE = new Set(['0', 'none', 'never', 'later', 'not yet', 'notyet', 'tbd', 'null']);

/** The value as a lowercase word. */
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
  const allowed = known.length > 7 ? 2 : 1;
  if (Math.abs(name.length - known.length) > allowed) return false;
  return measureDistance(name, known) <= allowed;
}

/**
 * The Damerau–Levenshtein distance in its restricted form, which edits swapped letters only once.
 */
function measureDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
