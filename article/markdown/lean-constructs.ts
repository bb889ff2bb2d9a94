/**
 * Omits GFM constructs that cannot match; the tree stays the same. The parser tries addresses at
 * every letter and tables at every line, and walks the tree four times for addresses. For a text
 * without any of them, that is half of its time.
 */
import type { Nodes, Root } from 'mdast';
import type { Processor } from 'unified';

/** Constructs of micromark, each with the text without which it cannot match. */
const NEEDS: [construct: string, mark: string][] = [
  ['emailAutolink', '@'],
  ['table', '|'],
  ['wwwAutolink', 'www.'],
];

/** The constructs that cannot match in `body`, joined into a key. */
export function listOmittableConstructs(body: string): string {
  const lower = NEEDS.some(([, mark]) => /[a-z]/.test(mark)) ? body.toLowerCase() : body;
  return NEEDS.filter(([, mark]) => !lower.includes(mark))
    .map(([construct]) => construct)
    .join(' ');
}

/** A plugin to use after `remark-gfm`. */
export function omitConstructs(this: Processor, omitted: string): void {
  const data = this.data() as unknown as { micromarkExtensions?: Extension[] };
  const names = new Set(omitted.split(' '));
  data.micromarkExtensions = (data.micromarkExtensions ?? []).map((extension) => filterExtension(extension, names));
}

/** A plugin to use after `remark-gfm`. Links addresses only in a tree that may contain one. */
export function omitLinking(this: Processor): void {
  const data = this.data() as { fromMarkdownExtensions?: (FromMarkdown | FromMarkdown[])[] };
  const extensions = (data.fromMarkdownExtensions ?? []).flat();
  data.fromMarkdownExtensions = extensions.map(({ transforms, ...extension }) =>
    transforms === undefined ? extension : { ...extension, transforms: transforms.map(skipWithoutAddresses) },
  );
}

interface FromMarkdown {
  transforms?: Transform[];
}
type Transform = (tree: Root) => Root | undefined;

function skipWithoutAddresses(transform: Transform): Transform {
  return (tree) => (mayContainAddress(tree) ? transform(tree) : undefined);
}

/** Every address pattern of GFM needs one of these. */
const IN_ADDRESSES = /@|:\/\/|www\./i;

/** Not recursive, because quotations may be nested thousands deep. */
function mayContainAddress(tree: Root): boolean {
  const open: Nodes[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'text' && IN_ADDRESSES.test(node.value)) return true;
    // GFM makes no link within a link.
    if (!('children' in node) || node.type === 'link' || node.type === 'linkReference') continue;
    for (const child of node.children) open.push(child);
  }
  return false;
}

interface Construct {
  name?: string;
}
type Constructs = Record<string, Construct | Construct[]>;
type Extension = Record<string, unknown> & { text?: Constructs; flow?: Constructs };

function filterExtension(extension: Extension, names: Set<string>): Extension {
  const filtered = { ...extension };
  if (extension.text !== undefined) filtered.text = filterConstructs(extension.text, names);
  if (extension.flow !== undefined) filtered.flow = filterConstructs(extension.flow, names);
  return filtered;
}

function filterConstructs(constructs: Constructs, names: Set<string>): Constructs {
  const remaining: Constructs = {};
  for (const [code, value] of Object.entries(constructs)) {
    const list = [value].flat().filter((construct) => !names.has(construct.name ?? ''));
    if (list.length > 0) remaining[code] = list;
  }
  return remaining;
}
