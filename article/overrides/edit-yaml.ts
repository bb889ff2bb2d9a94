/**
 * Writes changes into the text of YAML, and preserves every other byte. Callers must read the
 * result back, because not every text can be changed like this.
 */
import {
  Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { applyTextEdits, type TextEdit } from '../markdown/edits.ts';
import { type FieldChange, findPair, parseUnindentedYaml } from './change-yaml.ts';

/** Uses quotes for all that a reader of JSON requires, and otherwise for what YAML requires. */
export const PRINT_OPTIONS = {
  yaml: { lineWidth: 0, flowCollectionPadding: false },
  json: {
    ...{ flowCollectionPadding: false, doubleQuotedAsJSON: true },
    ...({ defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'QUOTE_DOUBLE' } as const),
  },
};

/** Null if the text cannot be changed in place, such as a mapping in braces. */
export function editYaml(source: string, changes: FieldChange[]): string | null {
  const doc = parseUnindentedYaml(source);
  if (doc === null || (isMap(doc.contents) && doc.contents.flow === true)) return null;
  const edits: (TextEdit | null)[] = [];
  let added = '';
  for (const change of changes) {
    const pair = findPair(doc, change.key);
    if (pair === undefined) added += printLines(change.key, readValue(change));
    else if (change.kind === 'flags' && isMap(pair.value)) edits.push(...editFlags(source, pair.value, change.flags));
    else edits.push(replaceValue(source, pair, readValue(change)));
  }
  if (added !== '') edits.push(insertLines(source, source.length, added));
  const possible = edits.filter((edit) => edit !== null);
  return possible.length < edits.length ? null : applyTextEdits(source, possible);
}

function readValue(change: FieldChange): unknown {
  return change.kind === 'value' ? change.value : Object.fromEntries([...change.current, ...change.flags]);
}

function editFlags(source: string, map: YAMLMap, flags: [string, boolean][]): (TextEdit | null)[] {
  const [first, last] = [map.items[0], map.items.at(-1)];
  const end = last && ((last.value ?? last.key) as Node).range?.[1];
  if (first === undefined || end === undefined) return [null];
  const indent = readIndent(source, (first.key as Node).range?.[0] ?? 0);
  const find = (name: string) => map.items.find(({ key }) => isScalar(key) && key.value === name);
  const edits = flags.flatMap(([name, flag]) => {
    const pair = find(name);
    return pair === undefined ? [] : [replaceValue(source, pair, flag)];
  });
  const added = flags.filter(([name]) => find(name) === undefined).map(([name, flag]) => `${name}: ${flag}`);
  if (added.length === 0) return edits;
  if (map.flow) return [...edits, { start: end, end, text: added.map((member) => `, ${member}`).join('') }];
  const lines = added.map((member) => `${indent}${member}\n`).join('');
  return [...edits, insertLines(source, findLineEnd(source, end), lines)];
}

function replaceValue(source: string, pair: Pair, value: unknown): TextEdit | null {
  const old = pair.value as Node | null;
  const [start, end] = old?.range ?? [];
  if (old === null || start === undefined || end === undefined) return null;
  if (isCollection(old) && old.flow !== true) return isSeq(old) ? replaceItems(source, old, value) : null;
  // There is no value yet, but there may be a comment.
  if (start === end) {
    const at = source.indexOf(':', (pair.key as Node).range?.[1]) + 1;
    return { start: at, end: at, text: ` ${printInline(value)}` };
  }
  // The range of a block of text includes the end of its last line.
  const lineEnd = source.slice(start, end).endsWith('\n') ? '\n' : '';
  return { start, end, text: printInline(value, isScalar(old) ? old.type : undefined) + lineEnd };
}

/** A list with one item per line stays one. */
function replaceItems(source: string, { items, range }: YAMLSeq, value: unknown): TextEdit | null {
  const [start, end] = [range?.[0], (items.at(-1) as Node | undefined)?.range?.[1]];
  if (start === undefined || end === undefined || !Array.isArray(value) || value.length === 0) return null;
  const indent = readIndent(source, start);
  const text = value.map((item) => `- ${printInline(item)}\n`).join(indent);
  return { start, end: findLineEnd(source, end), text };
}

/** The end of the line at `at`; `at` itself if a line begins there. */
export function findLineEnd(source: string, at: number): number {
  if (source[at - 1] === '\n') return at;
  const end = source.indexOf('\n', at);
  return end === -1 ? source.length : end + 1;
}

function readIndent(source: string, at: number): string {
  return source.slice(source.lastIndexOf('\n', at - 1) + 1, at);
}

function insertLines(source: string, at: number, lines: string): TextEdit {
  return { start: at, end: at, text: at === 0 || source[at - 1] === '\n' ? lines : `\n${lines}` };
}

/** Prints beside a key, on one line. `like` has the quotes of the value that is replaced. */
function printInline(value: unknown, like?: Scalar.Type): string {
  const doc = new Document({ key: value });
  visit(doc, {
    Collection(_, node) {
      node.flow = node !== doc.contents;
    },
    Scalar(_, node) {
      if (like?.startsWith('QUOTE') && typeof node.value === 'string') node.type = like;
    },
  });
  const line = doc.toString({ ...PRINT_OPTIONS.yaml, blockQuote: false });
  // White space of YAML. A no-break space belongs to the value.
  return line.slice(line.indexOf(':') + 1).replace(/^[ \n]+|[ \n]+$/g, '');
}

function printLines(key: string, value: unknown): string {
  return new Document({ [key]: value }).toString({ ...PRINT_OPTIONS.yaml, blockQuote: false });
}
