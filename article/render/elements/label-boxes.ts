/** Labels checkboxes for screen readers, after the sanitiser, which removes authors' labels. */
import type { Element, ElementContent, Root as HtmlRoot, Nodes } from 'hast';
import { walkTree } from '../../walk-tree.ts';

const MAX_LABEL = 200;

export function labelBoxes(tree: HtmlRoot): HtmlRoot {
  walkTree<Nodes>(tree, (node) => {
    if (node.type === 'element') labelAmong(node.children);
    return undefined;
  });
  return tree;
}

/** Uses the text beside the boxes, else (in a table cell) a symbol, which needs no language. */
function labelAmong(siblings: readonly ElementContent[]): void {
  const boxes = siblings.filter((node): node is Element => node.type === 'element' && node.tagName === 'input');
  if (boxes.length === 0) return;
  const label = readStart(siblings).replace(/\s+/g, ' ').trim();
  for (const { properties } of boxes) properties.ariaLabel = label || (properties.checked ? '☑' : '☐');
}

/** The start of the text, without nested lists: their tasks have labels of their own. */
function readStart(nodes: readonly ElementContent[]): string {
  let text = '';
  for (const node of nodes) {
    if (text.length >= MAX_LABEL) break;
    if (node.type === 'text') text += node.value;
    if (node.type === 'element' && !/^[uo]l$/.test(node.tagName)) text += readStart(node.children);
  }
  return text.slice(0, MAX_LABEL);
}
