/** Removes permalink anchors from headings. */
import type { ElementContent, Nodes } from 'hast';
import { toText } from 'hast-util-to-text';
import { SKIP, visit } from 'unist-util-visit';

export function prepareHeadings(tree: Nodes): void {
  visit(tree, 'element', (node) => {
    if (!/^h[1-6]$/.test(node.tagName)) return undefined;
    node.children = node.children.filter((child) => !isAnchor(child));
    return SKIP;
  });
}

function isAnchor(node: ElementContent): boolean {
  if (node.type !== 'element' || node.tagName !== 'a') return false;
  const { href, className } = node.properties;
  const isOnPage = href === undefined || String(href).startsWith('#');
  const isMarked = /anchor|headerlink|permalink|hash-link/i.test(String(className ?? ''));
  return (isOnPage || isMarked) && /^[#¶§🔗\s]*$/u.test(toText(node));
}
