/**
 * Names the boxes of task lists, for readers who cannot see what is beside them. The label is ours, so this runs after the sanitiser, which lets
 * no author write one.
 */
import type { Element, ElementContent, Root as HtmlRoot, Nodes } from 'hast';
import { walkTree } from '../walk-tree.ts';

const MAX_LABEL = 200;

/** Changes the attributes of `tree`, and returns it. */
export function labelBoxes(tree: HtmlRoot): HtmlRoot {
  walkTree<Nodes>(tree, (node) => {
    if (node.type === 'element') labelAmong(node.children);
    return undefined;
  });
  return tree;
}

/** By the text beside them. One that is alone, as in a cell of a table, is called after its looks, in no language. */
function labelAmong(siblings: readonly ElementContent[]): void {
  const boxes = siblings.filter((node): node is Element => node.type === 'element' && node.tagName === 'input');
  if (boxes.length === 0) return;
  const label = readStart(siblings, MAX_LABEL).replace(/\s+/g, ' ').trim();
  for (const { properties } of boxes) properties.ariaLabel = label || (properties.checked ? '☑' : '☐');
}

/** The first `length` characters, without the lists between: each task is called after itself. */
function readStart(nodes: readonly ElementContent[], length: number): string {
  let text = '';
  for (const node of nodes) {
    if (text.length >= length) break;
    if (node.type === 'text') text += node.value;
    if (node.type === 'element' && !/^[uo]l$/.test(node.tagName))
      text += readStart(node.children, length - text.length);
  }
  return text.slice(0, length);
}
