/** Returns the text inside an element, unchanged. */
import type { Element, ElementContent } from 'hast';

export function getElementText(element: Element): string {
  return element.children.map(getNodeText).join('');
}

function getNodeText(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  return node.type === 'element' ? getElementText(node) : '';
}
