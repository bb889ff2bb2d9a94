/**
 * Writes changes into the text of YAML, and preserves every other byte. Callers must read the
 * result back, because not every text can be changed like this.
 */
import { type Document, isCollection, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import { parseUnindentedYaml } from './change-yaml.ts';
import { applyTextEdits, type TextEdit } from './edits.ts';
import type { FieldChange } from './field-change.ts';
import { findPair } from './find-pair.ts';
import { printInline, printLines, printMember, type Value, type YamlStyle } from './print-yaml.ts';

export interface YamlEdit {
  changes: FieldChange[];
  /** The changed tree, which contains the values of keys that the text lacks. */
  target: Document;
  style: YamlStyle;
}

/** Null if the text cannot be changed in place. */
export function editYaml(source: string, { changes, target, style }: YamlEdit): string | null {
  const doc = parseUnindentedYaml(source);
  if (doc === null) return null;
  const root = isMap(doc.contents) ? doc.contents : null;
  const text: Text = { source, style };
  const edits: (TextEdit | null)[] = [];
  const added: Member[] = [];
  for (const change of changes) {
    const pair = findPair(doc, change.key);
    if (pair === undefined) added.push([change.key, readValue(target, change)]);
    else if (change.kind === 'flags' && isMap(pair.value)) edits.push(...editFlags(text, pair.value, change.flags));
    else edits.push(...replaceValue(text, { pair, inFlow: root?.flow === true, value: readValue(target, change) }));
  }
  if (added.length > 0) {
    edits.push(root?.flow === true ? addWithin(text, root, added) : addBelow(text, source.length, '', added));
  }
  return applyTextEdits(source, edits);
}

interface Text {
  source: string;
  style: YamlStyle;
}

type Member = [key: string, value: Value];

/** For flags, the merged mapping, which includes flags from another key. */
function readValue(target: Document, change: FieldChange): Value {
  if (change.kind === 'value') return change.value;
  const value = findPair(target, change.key)?.value;
  return isMap(value) ? (value.toJS(target) as Record<string, unknown>) : Object.fromEntries(change.flags);
}

function editFlags(text: Text, map: YAMLMap, flags: [string, boolean][]): (TextEdit | null)[] {
  const isFlow = map.flow === true;
  const find = (name: string) => map.items.find(({ key }) => isScalar(key) && key.value === name);
  const edits = flags.flatMap(([name, value]) => {
    const pair = find(name);
    return pair === undefined ? [] : replaceValue(text, { pair, inFlow: isFlow, value });
  });
  const added = flags.filter(([name]) => find(name) === undefined);
  if (added.length === 0) return edits;
  if (isFlow) return [...edits, addWithin(text, map, added)];
  const [first, last] = [map.items[0], map.items.at(-1)];
  if (first === undefined || last === undefined) return [null];
  const at = findLineEnd(text.source, findEnd(last));
  return [...edits, addBelow(text, at, readIndent(text.source, findStart(first)), added)];
}

interface Replacement {
  pair: Pair;
  inFlow: boolean;
  value: Value;
}

function replaceValue(text: Text, { pair, inFlow, value }: Replacement): (TextEdit | null)[] {
  const { source, style } = text;
  const old = pair.value as Node | null;
  const [from, to] = old?.range ?? [];
  if (old === null || from === undefined || to === undefined) return [null];
  if (isCollection(old) && old.flow !== true) return replaceBlock(text, { pair, from, value });
  const like = isScalar(old) ? old.type : undefined;
  // There is no value yet, but there may be a comment.
  if (from === to) return [putBesideKey(text, pair, printInline(value, { style, inFlow }))];
  // The range of a block of text includes the end of its last line.
  const end = source.slice(from, to).endsWith('\n') ? '\n' : '';
  return [{ from, to, text: printInline(value, { style, inFlow, like }) + end }];
}

/**
 * A list with one item per line stays one. Any other block is replaced with a value beside the key.
 */
function replaceBlock(
  { source, style }: Text,
  { pair, from, value }: { pair: Pair; from: number; value: Value },
): (TextEdit | null)[] {
  const to = findLineEnd(source, findEnd(pair));
  if (isSeq(pair.value) && Array.isArray(value) && value.length > 0) {
    const indent = readIndent(source, from);
    const items = value.map((item) => `- ${printInline(item, { style, inFlow: false })}\n`);
    return [{ from, to, text: items.join(indent) }];
  }
  const below = { from: from - readIndent(source, from).length, to, text: '' };
  return [putBesideKey({ source, style }, pair, printInline(value, { style, inFlow: false })), below];
}

function putBesideKey({ source }: Text, { key }: Pair, printed: string): TextEdit | null {
  const at = source.indexOf(':', (key as Node).range?.[1] ?? source.length) + 1;
  return at === 0 ? null : { from: at, to: at, text: ` ${printed}` };
}

/** Appends members within braces, on lines of their own if the last member is on one. */
function addWithin({ source, style }: Text, map: YAMLMap, added: Member[]): TextEdit | null {
  const members = added.map(([key, value]) => printMember(key, value, style));
  const last = map.items.at(-1);
  const start = map.range?.[0];
  if (start === undefined) return null;
  if (last === undefined) return { from: start + 1, to: start + 1, text: members.join(', ') };
  const at = findEnd(last);
  const indent = readIndent(source, findStart(last));
  const isOnOwnLine = source[findStart(last) - indent.length - 1] === '\n';
  const separator = isOnOwnLine ? `,\n${indent}` : ', ';
  return { from: at, to: at, text: separator + members.join(separator) };
}

function addBelow({ source }: Text, at: number, indent: string, added: Member[]): TextEdit {
  const lines = added.map(([key, value]) => printLines(key, value).replace(/^(?=.)/gm, indent)).join('');
  return { from: at, to: at, text: at === 0 || source[at - 1] === '\n' ? lines : `\n${lines}` };
}

function findStart({ key }: Pair): number {
  return (key as Node).range?.[0] ?? 0;
}

/** The end of the value, without a comment after it. */
function findEnd({ key, value }: Pair): number {
  const node = (value ?? key) as Node;
  const inner = isCollection(node) && node.flow !== true ? node.items.at(-1) : undefined;
  if (inner === undefined) return node.range?.[1] ?? 0;
  return isSeq(node) ? ((inner as Node).range?.[1] ?? 0) : findEnd(inner as Pair);
}

/** The end of the line at `at`; `at` itself if a line begins there. */
function findLineEnd(source: string, at: number): number {
  if (source[at - 1] === '\n') return at;
  const end = source.indexOf('\n', at);
  return end === -1 ? source.length : end + 1;
}

/** The blanks before `at` on its line. */
function readIndent(source: string, at: number): string {
  return /[ \t]*$/.exec(source.slice(source.lastIndexOf('\n', at - 1) + 1, at))?.[0] ?? '';
}
