/** Finds the entry of a YAML mapping that applies to a key, by the rules of `nameFields`. */
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import { normaliseName } from '../frontmatter/field-names.ts';

/** The pair to change, which may be spelled `Title`. Undefined if a new one must be added. */
export function findPair(doc: Document, key: string): Pair | undefined {
  if (!isMap(doc.contents)) return undefined;
  const ownPairs = doc.contents.items.filter((pair) => isNamed(pair, key));
  const pair = findApplying(doc, key);
  if (pair === undefined) return ownPairs[0];
  return ownPairs.includes(pair) ? pair : ownPairs.find((candidate) => readName(candidate) === key);
}

/**
 * A copy of the mapping that `<<` merges in under this key. A new key of the map itself replaces
 * the merged mapping, so it must start with the same entries.
 */
export function findMergedMap(doc: Document, key: string): YAMLMap | undefined {
  if (!isMap(doc.contents)) return undefined;
  const pair = findApplying(doc, key);
  if (pair === undefined || doc.contents.items.includes(pair)) return undefined;
  const value = resolve(doc, pair.value);
  return isMap(value) ? (value.clone() as YAMLMap) : undefined;
}

/** Of pairs with a value, the specification's spelling counts, else the first. */
function findApplying(doc: Document, key: string): Pair | undefined {
  const filled = listPairs(doc, doc.contents).filter((pair) => isNamed(pair, key) && isFilled(pair));
  return filled.find((pair) => readName(pair) === key) ?? filled[0];
}

/** The map's own pairs first, then pairs that `<<` merges in, which never replace a key. */
function listPairs(doc: Document, node: unknown): Pair[] {
  const map = resolve(doc, node);
  if (isSeq(map)) return map.items.flatMap((item) => listPairs(doc, item));
  if (!isMap(map)) return [];
  const ownPairs = map.items.filter((pair) => readName(pair) !== '<<');
  const names = new Set(ownPairs.map(readName));
  const merged = map.items.filter((pair) => readName(pair) === '<<').flatMap(({ value }) => listPairs(doc, value));
  return [...ownPairs, ...merged.filter((pair) => !names.has(readName(pair)))];
}

function resolve(doc: Document, node: unknown): unknown {
  return isAlias(node) ? node.resolve(doc) : node;
}

function isNamed(pair: Pair, key: string): boolean {
  const name = readName(pair);
  return name !== null && normaliseName(name) === key;
}

function isFilled({ value }: Pair): boolean {
  return value !== null && !(isScalar(value) && value.value === null);
}

function readName({ key }: Pair): string | null {
  return isScalar(key) ? String((key as Node & { value: unknown }).value) : null;
}
