/**
 * Changes YAML as a tree, which defines the meaning of an override. Printing it preserves comments
 * and order, but not quotes and spacing.
 */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  type Node,
  type Pair,
  parseDocument,
  type Tags,
  visit,
  YAMLMap,
} from 'yaml';
import { normaliseName } from '../frontmatter/field-names.ts';
import { indentContinuations } from '../frontmatter/syntax/indent-continuations.ts';

export function changeDocument(source: string, changes: FieldChange[]): Document | null {
  const doc = parseYaml(source);
  if (doc === null) return null;
  if (doc.contents === null || (isScalar(doc.contents) && doc.contents.value === null))
    doc.contents = new YAMLMap(doc.schema);
  if (!isMap(doc.contents)) return null;
  for (const change of changes) {
    if (change.kind === 'value') setValue(doc, change.key, change.value);
    else setFlags(doc, change);
  }
  return doc;
}

/** Uses the rules of the frontmatter reader, so that every document it reads can be changed. */
function parseYaml(source: string): Document | null {
  return parseUnindentedYaml(source) ?? parseUnindentedYaml(indentContinuations(source)?.source ?? source);
}

/** Null if the text is no YAML without indenting its continuation lines. */
export function parseUnindentedYaml(source: string): Document | null {
  const doc: Document = parseDocument(source, {
    version: '1.2',
    schema: 'core',
    merge: false,
    intAsBigInt: true,
    customTags: preserveNumbers,
    logLevel: 'silent',
  });
  return doc.errors.length === 0 ? doc : null;
}

/** Preserves the digits of numbers that the author wrote: `007` is the name of a series. */
function preserveNumbers(tags: Tags): Tags {
  return tags.map((tag) => {
    if (typeof tag === 'string' || !/:(?:int|float)$/.test(tag.tag) || tag.collection !== undefined) return tag;
    const { stringify } = tag;
    return { ...tag, stringify: (item, ...rest) => item.source ?? stringify?.(item, ...rest) ?? String(item.value) };
  });
}

/**
 * The pair that applies to a key, which may be spelled `Title`. Undefined if a new one must be
 * added: beside merged keys (`<<`), only the specification's spelling is sure to count.
 */
export function findPair(doc: Document, key: string): Pair | undefined {
  if (!isMap(doc.contents)) return undefined;
  const { items } = doc.contents;
  const named = items.filter((pair) => normaliseName(readName(pair)) === key);
  const exact = named.find((pair) => readName(pair) === key);
  if (exact !== undefined || items.some((pair) => readName(pair) === '<<')) return exact;
  return named.find(({ value }) => value !== null && !(isScalar(value) && value.value === null)) ?? named[0];
}

function readName({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : '';
}

function setValue(doc: Document, key: string, value: string | boolean | string[]): void {
  const pair = findPair(doc, key);
  if (pair === undefined) {
    doc.set(doc.createNode(key), doc.createNode(value));
    return;
  }
  const old = pair.value as Node | null;
  const node = doc.createNode(value) as Node;
  if (old !== null) {
    freeAliases(doc, old);
    // Comments are attached to the value, but belong to the author.
    if (isScalar(old) || !Array.isArray(value))
      node.comment = isAlias(old) || isScalar(old) ? (old.comment ?? null) : null;
    node.commentBefore = old.commentBefore ?? null;
    node.spaceBefore = old.spaceBefore ?? false;
  }
  pair.value = node;
}

function setFlags(doc: Document, { key, flags, current }: FieldChange & { kind: 'flags' }): void {
  const pair = findPair(doc, key);
  const isOwn = pair !== undefined && isMap(pair.value) && (pair.value as YAMLMap).anchor === undefined;
  if (isOwn) {
    for (const [name, flag] of flags) (pair.value as YAMLMap).set(name, doc.createNode(flag));
    return;
  }
  const map = doc.createNode(Object.fromEntries([...current, ...flags]));
  if (pair === undefined) {
    doc.set(doc.createNode(key), map);
    return;
  }
  if (isNode(pair.value)) freeAliases(doc, pair.value);
  pair.value = map;
}

/** Replaces all aliases of a node with copies, before the node is removed. */
function freeAliases(doc: Document, node: Node): void {
  const { anchor } = node as { anchor?: string };
  if (anchor === undefined) return;
  visit(doc, {
    Alias(_key, alias) {
      if (alias.resolve(doc) !== node) return undefined;
      const copy = node.clone() as Node & { anchor?: string };
      delete copy.anchor;
      return copy;
    },
  });
}

export type FieldChange =
  | { kind: 'value'; key: string; value: string | boolean | string[] }
  /** A new mapping needs the flags of `current` too, which may come from another key. */
  | { kind: 'flags'; key: string; flags: Flag[]; current: Flag[] };

export type Flag = [name: string, flag: boolean];
