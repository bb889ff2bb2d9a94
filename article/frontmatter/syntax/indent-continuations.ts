/**
 * Indents lines that continue a quoted value or a list in brackets. js-yaml and PyYAML accept them
 * at column 1; the `yaml` library has no such option.
 */
import { hasFieldLine } from '../field-line.ts';

export interface IndentedSource {
  source: string;
  added: number[];
}

/** Their lengths are limited, so that a search takes linear time. */
const QUOTED = `"(?:[^"\\\\]|\\\\[^]){0,8000}"|'(?:[^']|''){0,8000}'(?!')`;
const KEY = `(?:[^\\s#"'-][^\\n:]*|(?:"[^"\\n]*"|'[^'\\n]*')[ \\t]*):[ \\t]+`;
const IN_BRACKETS = `[[{](?:${QUOTED}|#[^\\n]*$|[^"'#]){0,2000}?[\\]}](?=[ \\t]*(?:#[^\\n]*)?$)`;
const START = `(?:(?:-[ \\t]+)+|${KEY})(?:[&!]\\S*[ \\t]+)*`;
/** A text in a block: its lines are blank or deeper than its key. */
const BLOCK = `(?<blanks>[ \\t]*)${START}[|>][^\\n]*(?:\\n(?:\\k<blanks>[ \\t]+\\S[^\\n]*|[ \\t]*(?=\\n)))*`;
const VALUE = new RegExp(`^(?:${BLOCK}|(?<before>[ \\t]*${START})(?:${QUOTED}|${IN_BRACKETS}))`, 'gm');

export function indentContinuations(source: string): IndentedSource | null {
  const indented = source.replace(VALUE, (value, _blanks, before: string | undefined) => {
    const [, ...others] = value.split('\n');
    // A forgotten quote is more likely than a text with a field at the start of a line.
    if (before === undefined || others.length === 0 || hasFieldLine(others.join('\n'))) return value;
    return value.replace(/\n(?=[ \t]*\S)/g, `\n${' '.repeat(before.length)}`);
  });
  if (indented === source) return null;
  const lines = source.split('\n');
  const added = indented.split('\n').map((line, index) => line.length - (lines[index] ?? '').length);
  return { source: indented, added };
}
