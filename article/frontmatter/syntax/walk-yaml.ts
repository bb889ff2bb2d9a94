/** Converts YAML nodes to fields. Checks keys, depth and size before it follows an alias. */
import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import type { Problem } from '../../types.ts';
import type { FieldNode, Fields, Place } from '../field-node.ts';

const MAX_ALIASES = 100;
const MAX_EXPANDED = 10_000;

type Report = (message: string, node: Node) => void;
type Locate = (offset: number) => Place;

export function walkYaml(root: YAMLMap, locate: Locate, maxDepth: number): { fields: Fields; problems: Problem[] } {
  const problems: Problem[] = [];
  const report: Report = (message, node) => {
    problems.push({ path: 'frontmatter', message, ...locate(node.range?.[0] ?? 0) });
  };
  const { size, targets } = measure(root, report, maxDepth);
  if (targets.size > MAX_ALIASES || size > MAX_EXPANDED) {
    report('The frontmatter has too many aliases or merges.', root);
  }
  if (problems.length > 0) return { fields: new Map(), problems };
  return { fields: new Map(createConverter(targets, locate)(root)), problems };
}

/** Counts values with aliases expanded. Resolves each alias to the last anchor before it. */
function measure(root: Node, report: Report, maxDepth: number): { size: number; targets: Map<Alias, Node> } {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const sizes = new Map<Node, number>();
  let isTooDeep = false;

  const measureAlias = (alias: Alias): number => {
    const target = anchors.get(alias.source);
    // A target without a size is still being measured: the alias is inside its own target.
    const size = target === undefined ? undefined : sizes.get(target);
    if (target === undefined || size === undefined) {
      report(`The alias *${alias.source} refers to itself or to an anchor that is not defined before it.`, alias);
      return 0;
    }
    targets.set(alias, target);
    return size;
  };

  const measureNode = (node: Node, depth: number): number => {
    if (isTooDeep) return 0;
    if (depth > maxDepth) {
      isTooDeep = true;
      report('The frontmatter is nested too deeply to be read.', node);
      return 0;
    }
    if (isAlias(node)) return measureAlias(node);
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isMap(node)) reportDuplicates(node, report);
    const size = listChildren(node).reduce((sum, child) => sum + measureNode(child, depth + 1), 1);
    sizes.set(node, size);
    return size;
  };

  return { size: measureNode(root, 0), targets };
}

function listChildren(node: Node): (Exclude<Node, Alias> & { anchor?: string })[] {
  const items = isSeq(node) ? node.items : isMap(node) ? node.items.flatMap((pair) => [pair.key, pair.value]) : [];
  return items.filter((item) => item !== null) as (Exclude<Node, Alias> & { anchor?: string })[];
}

function reportDuplicates(map: YAMLMap, report: Report): void {
  const seen = new Set<string>();
  for (const { key } of map.items) {
    const text = readKey(key);
    if (text === null) continue;
    if (seen.has(text)) report(`The key "${text}" occurs twice. Remove one of them.`, key as Node);
    seen.add(text);
  }
}

type Entries = [string, FieldNode][];

function createConverter(targets: Map<Alias, Node>, locate: Locate): (map: YAMLMap) => Entries {
  const follow = (node: Node): Node => (isAlias(node) ? (targets.get(node) ?? node) : node);
  const locateNode = (node: Node): Place => locate(node.range?.[0] ?? 0);

  const toField = (original: Node | null, keyPlace: Place): FieldNode => {
    if (original === null) return { kind: 'scalar', value: null, text: '', place: keyPlace };
    const place = locateNode(original);
    const node = follow(original);
    if (isSeq(node))
      return { kind: 'list', items: node.items.map((item) => toField(item as Node | null, place)), place };
    if (isMap(node)) return { kind: 'map', entries: readEntries(node), place };
    const value = isScalar(node) ? node.value : null;
    const text = isScalar(node) && typeof node.source === 'string' ? node.source : String(value);
    return { kind: 'scalar', value: toPlain(value), text, place };
  };

  /** The map's own keys first, then keys that `<<` merges in, which never replace a key. */
  const readEntries = (map: YAMLMap): Entries => {
    const entries: Entries = [];
    const merged: Entries = [];
    for (const pair of map.items) {
      const key = readKey(pair.key);
      if (key === '<<') merged.push(...readMergedEntries(pair.value as Node | null));
      else if (key !== null) entries.push([key, toField(pair.value as Node | null, locateNode(pair.key as Node))]);
    }
    const names = new Set(entries.map(([name]) => name));
    for (const [name, node] of merged) {
      if (!names.has(name)) entries.push([name, node]);
      names.add(name);
    }
    return entries;
  };

  const readMergedEntries = (value: Node | null): Entries => {
    const source = value === null ? null : follow(value);
    if (isMap(source)) return readEntries(source);
    return isSeq(source) ? source.items.flatMap((item) => readMergedEntries(item as Node | null)) : [];
  };

  return readEntries;
}

function readKey(key: unknown): string | null {
  if (!isScalar(key)) return null;
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

function toPlain(value: unknown): string | number | bigint | boolean | null {
  const isPlain = value === null || ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
  return isPlain ? (value as string | number | bigint | boolean | null) : String(value);
}
