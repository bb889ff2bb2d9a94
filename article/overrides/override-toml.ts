/** Changes TOML frontmatter in its text, because no library writes TOML with its comments. */
import { parse, stringify } from 'smol-toml';
import { type AST, parseTOML } from 'toml-eslint-parser';
import { foldName, normaliseName } from '../frontmatter/field-names.ts';
import { applyTextEdits, type TextEdit } from '../markdown/edits.ts';
import type { FieldChange, Flag } from './change-yaml.ts';
import { findLineEnd } from './edit-yaml.ts';

/** The changed source, ending in a line end; null if it cannot be changed safely. */
export function overrideToml(source: string, changes: FieldChange[]): string | null {
  // Invalid for example because of a control character, which is removed when a document is read.
  if (!isToml(source)) return null;
  const text = source === '' || source.endsWith('\n') ? source : `${source}\n`;
  const toml: Toml = { text, ...readEntries(text) };
  const edits = changes.flatMap((change) =>
    change.kind === 'value' ? [editValue(toml, change.key, change.value)] : editFlags(toml, change),
  );
  // Edits never overlap: each is of another pair, or an insertion between pairs.
  const changed = applyTextEdits(text, edits);
  return isToml(changed) ? changed : null;
}

interface Toml {
  text: string;
  pairs: Pair[];
  tables: AST.TOMLTable[];
}

type Pair = AST.TOMLKeyValue;

function readEntries(text: string): Pick<Toml, 'pairs' | 'tables'> {
  const { body } = parseTOML(text).body[0];
  return {
    pairs: body.filter((node) => node.type === 'TOMLKeyValue'),
    tables: body.filter((node) => node.type === 'TOMLTable'),
  };
}

function editValue(toml: Toml, key: string, value: string | boolean | string[]): TextEdit {
  const named = toml.pairs.filter((pair) => isNamed(pair, key) && pair.key.keys.length === 1);
  const pair = named.find((candidate) => readKey(candidate)[0] === key) ?? named[0];
  return pair ? replace(pair, value) : addAtTop(toml, [`${key} = ${print(value)}`]);
}

/** Writes flags in the author's form. Another one would define another table. */
function editFlags(toml: Toml, { key, flags, current }: FieldChange & { kind: 'flags' }): TextEdit[] {
  const named = [...toml.pairs, ...toml.tables].filter((node) => isNamed(node, key));
  const entry = named.find((node) => readKey(node)[0] === key) ?? named[0];
  if (entry === undefined) return [addAtTop(toml, printFlags([...current, ...flags], `${key}.`))];
  if (entry.type === 'TOMLTable') {
    const at = findLineEnd(toml.text, (entry.body.at(-1) ?? entry.key).range[1]);
    return setFlags(entry.body, flags, (added) => addLines(at, printFlags(added)));
  }
  if (entry.value.type === 'TOMLInlineTable') {
    const { body, range } = entry.value;
    const end = body.at(-1)?.range[1];
    return setFlags(body, flags, (added) => {
      const members = printFlags(added).join(', ');
      if (end !== undefined) return { start: end, end, text: `, ${members}` };
      return { start: range[0], end: range[1], text: `{ ${members} }` };
    });
  }
  const tableName = readKey(entry)[0];
  const dotted = toml.pairs.filter((pair) => readKey(pair)[0] === tableName && pair.key.keys.length === 2);
  const written = toml.text.slice(...(entry.key.keys[0] as AST.TOMLBare).range);
  const at = findLineEnd(toml.text, (dotted.at(-1) ?? entry).range[1]);
  return setFlags(dotted, flags, (added) => addLines(at, printFlags(added, `${written}.`)));
}

function printFlags(flags: Flag[], prefix = ''): string[] {
  return flags.map(([name, flag]) => `${prefix}${name} = ${flag}`);
}

function setFlags(pairs: Pair[], flags: Flag[], add: (added: Flag[]) => TextEdit): TextEdit[] {
  const edits: TextEdit[] = [];
  const added: Flag[] = [];
  for (const [name, flag] of flags) {
    const named = pairs.filter((pair) => foldName(readKey(pair).at(-1) ?? '') === foldName(name));
    const pair = named.find((candidate) => readKey(candidate).at(-1) === name) ?? named[0];
    if (pair) edits.push(replace(pair, flag));
    else added.push([name, flag]);
  }
  return added.length > 0 ? [...edits, add(added)] : edits;
}

/** A comment after the value stays, with the blanks before it. */
function replace({ value: { range } }: Pair, value: string | boolean | string[]): TextEdit {
  return { start: range[0], end: range[1], text: print(value) };
}

/** Below the last key outside of tables: a key below the header of a table belongs to the table. */
function addAtTop({ text, pairs, tables }: Toml, lines: string[]): TextEdit {
  const last = pairs.at(-1);
  if (last) return addLines(findLineEnd(text, last.range[1]), lines);
  return addLines(tables.length > 0 ? 0 : text.length, lines);
}

function addLines(at: number, lines: string[]): TextEdit {
  return { start: at, end: at, text: lines.map((line) => `${line}\n`).join('') };
}

function isNamed(node: Pair | AST.TOMLTable, key: string): boolean {
  return normaliseName(readKey(node)[0] ?? '') === key;
}

function readKey({ key }: Pair | AST.TOMLTable): string[] {
  return key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));
}

function print(value: string | boolean | string[]): string {
  return stringify({ value })
    .trim()
    .replace(/^value\s*=\s*/, '');
}

function isToml(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    // The caller leaves the document unchanged.
    return false;
  }
}
