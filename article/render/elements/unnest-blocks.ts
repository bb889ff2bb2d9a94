/**
 * Prepares HTML for Markdown, where inline marks and headings contain no blocks: moves marks into
 * the blocks, and joins the blocks of a heading.
 */
import type { Element, ElementContent, Nodes, Root } from 'hast';

const list = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Imports use `footnote` for the text of a note. */
const BLOCKS = list(
  'blockquote caption dd details div dl dt figcaption figure footnote h1 h2 h3 h4 h5 h6 hr li ol p pre section summary table tbody td tfoot th thead tr ul',
);
const HEADINGS = list('h1 h2 h3 h4 h5 h6');
const LINES = list('p summary');

export function unnestBlocks(tree: Root): void {
  const holders = new Set<Element>();
  for (const child of tree.children) findHolders(child, holders);
  if (holders.size > 0) tree.children = unnest(tree.children as ElementContent[], [], holders);
}

/** Adds lines and headings with a block to `holders`. Returns whether `node` has or is a block. */
function findHolders(node: Nodes, holders: Set<Element>): boolean {
  if (node.type !== 'element') return false;
  const isBlock = BLOCKS.has(node.tagName);
  // The text of a block of code is not parsed.
  if (node.tagName === 'pre') return true;
  let hasBlock = false;
  for (const child of node.children) hasBlock = findHolders(child, holders) || hasBlock;
  if (hasBlock && (!isBlock || LINES.has(node.tagName) || HEADINGS.has(node.tagName))) holders.add(node);
  return hasBlock || isBlock;
}

/** `ancestors`: the inline elements around `nodes`, outermost first, at most one of each name. */
function unnest(
  nodes: readonly ElementContent[],
  ancestors: readonly Element[],
  holders: ReadonlySet<Element>,
): ElementContent[] {
  const unnested: ElementContent[] = [];
  let run: ElementContent[] = [];
  const endRun = (): void => {
    if (run.length > 0) unnested.push(...wrap(run, ancestors));
    run = [];
  };
  for (const node of nodes) {
    if (node.type === 'element' && (BLOCKS.has(node.tagName) || holders.has(node))) {
      endRun();
      unnested.push(...unnestElement(node, ancestors, holders));
    } else run.push(node);
  }
  endRun();
  return unnested;
}

function unnestElement(node: Element, ancestors: readonly Element[], holders: ReadonlySet<Element>): ElementContent[] {
  if (!BLOCKS.has(node.tagName)) {
    const isRepeated = ancestors.some(({ tagName }) => tagName === node.tagName);
    return unnest(node.children, isRepeated ? ancestors : [...ancestors, node], holders);
  }
  if (node.tagName === 'pre') return [node];
  if (HEADINGS.has(node.tagName)) return [{ ...node, children: wrap(node.children.flatMap(joinLine), ancestors) }];
  const tagName = holders.has(node) ? 'div' : node.tagName;
  return [{ ...node, tagName, children: unnest(node.children, ancestors, holders) }];
}

function wrap(run: ElementContent[], ancestors: readonly Element[]): ElementContent[] {
  if (!run.some((node) => node.type === 'element' || (node.type === 'text' && node.value.trim() !== ''))) return run;
  return ancestors.reduceRight<ElementContent[]>((children, element) => [{ ...element, children }], run);
}

function joinLine(node: ElementContent): ElementContent[] {
  if (node.type !== 'element') return [node];
  const children = node.children.flatMap(joinLine);
  if (!BLOCKS.has(node.tagName)) return [{ ...node, children }];
  const space = { type: 'text', value: ' ' } as const;
  return [space, ...children, space];
}
