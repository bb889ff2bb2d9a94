/**
 * Rewrites what Markdown cannot express: breaks move out of the edges of bold text, bold within
 * bold is bold once, adjacent code is joined.
 */
import type { Nodes, Parents, PhrasingContent, Root } from 'mdast';

const MARKED: ReadonlySet<string> = new Set(['emphasis', 'strong', 'delete', 'link']);
/** Blocks in which a line break at an edge has no effect. */
const BLOCKS: ReadonlySet<string> = new Set(['paragraph', 'heading', 'tableCell']);

export function tidyPhrasing(root: Root): void {
  tidy(root, []);
}

/** `marked`: the marks of the parent and of its ancestors. */
function tidy(parent: Parents, marked: readonly string[]): void {
  const children: Nodes[] = [];
  for (const child of parent.children) {
    const isMarked = MARKED.has(child.type);
    if ('children' in child) tidy(child, isMarked ? [...marked, child.type] : marked);
    for (const part of isMarked ? listParts(child as Parents, marked) : [child]) addJoined(children, part);
  }
  parent.children = (BLOCKS.has(parent.type) ? dropBreaks(children) : children) as PhrasingContent[];
}

/** The breaks before the node, the node unless it is empty, and the breaks after it. */
function listParts(node: Parents, marked: readonly string[]): Nodes[] {
  if (marked.includes(node.type)) return node.children;
  const inner = dropBreaks(node.children);
  if (inner.length === node.children.length) return [node];
  const first = node.children.indexOf(inner[0] as never);
  if (first === -1) return node.children;
  const before = node.children.slice(0, first);
  const behind = node.children.slice(first + inner.length);
  node.children = inner as PhrasingContent[];
  return [...before, node, ...behind];
}

function dropBreaks(nodes: readonly Nodes[]): Nodes[] {
  const first = nodes.findIndex(({ type }) => type !== 'break');
  return first === -1 ? [] : nodes.slice(first, nodes.findLastIndex(({ type }) => type !== 'break') + 1);
}

/** Drops empty code, which would be shown as two backticks, and empty links. */
function addJoined(nodes: Nodes[], node: Nodes): void {
  if (node.type === 'inlineCode' && node.value === '') return;
  if (node.type === 'link' && node.children.length === 0) return;
  const last = nodes.at(-1);
  if (last?.type === 'inlineCode' && node.type === 'inlineCode') last.value += node.value;
  else if (last?.type === 'delete' && node.type === 'delete') last.children.push(...node.children);
  else nodes.push(node);
}
