/**
 * Changes YAML as a tree, which defines the meaning of an override. Printing it preserves comments
 * and order, but not quotes and spacing.
 */
import { type Document, isAlias, isMap, isScalar, type Node, parseDocument, type Tags, visit, YAMLMap } from 'yaml';
import { indentContinuations } from '../frontmatter/syntax/indent-continuations.ts';
import type { FieldChange } from './field-change.ts';
import { findMergedMap, findPair } from './find-pair.ts';

/** Null if the source is not a mapping. */
export function changeDocument(source: string, changes: FieldChange[]): Document | null {
  const doc = parseYaml(source);
  if (doc === null) return null;
  if (doc.contents === null || (isScalar(doc.contents) && doc.contents.value === null))
    doc.contents = new YAMLMap(doc.schema);
  if (!isMap(doc.contents)) return null;
  for (const change of changes) {
    if (change.kind === 'value') setValue(doc, change.key, change.value);
    else setFlags(doc, change.key, change.flags);
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

function setFlags(doc: Document, key: string, flags: [string, boolean][]): void {
  const pair = findPair(doc, key);
  let map: YAMLMap | null = null;
  if (pair !== undefined && isMap(pair.value)) map = pair.value;
  else if (pair !== undefined && isAlias(pair.value))
    map = (pair.value.resolve(doc)?.clone() as YAMLMap | undefined) ?? null;
  if (map === null) map = findMergedMap(doc, key) ?? new YAMLMap(doc.schema);
  if (map.anchor !== undefined) {
    freeAliases(doc, map);
    delete (map as { anchor?: string }).anchor;
  }
  for (const [name, flag] of flags) map.set(name, doc.createNode(flag));
  if (pair === undefined) doc.set(doc.createNode(key), map);
  else pair.value = map;
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
