/** The text within an element, as it stands in the tree. */
import type { Element, ElementContent } from 'hast';

export function textOfElement(element: Element): string {
  return element.children.map(textOfNode).join('');
}

function textOfNode(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? textOfElement(node) : '';
}
