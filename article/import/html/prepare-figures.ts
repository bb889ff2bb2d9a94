/** Converts a figure to its picture and its caption, in italics in a paragraph of its own. */
import type { Element, ElementContent, Nodes } from 'hast';
import { visit } from 'unist-util-visit';

export function prepareFigures(tree: Nodes): void {
  visit(tree, 'element', (node) => {
    if (node.tagName === 'figure') node.children = node.children.flatMap(prepareCaption);
  });
}

function prepareCaption(child: ElementContent): ElementContent[] {
  if (child.type !== 'element' || child.tagName !== 'figcaption') return [child];
  const text = child.children.filter((part) => part.type !== 'comment');
  if (!text.some(hasText)) return [];
  // A caption that contains blocks cannot be in italics as a whole.
  const isLine = !text.some(
    (part) => part.type === 'element' && /^(?:p|div|ul|ol|pre|blockquote|table)$/.test(part.tagName),
  );
  return isLine ? [build('p', [build('em', text)])] : text;
}

function build(tagName: string, children: ElementContent[]): Element {
  return { type: 'element', tagName, properties: {}, children };
}

function hasText(node: ElementContent): boolean {
  if (node.type === 'text') return node.value.trim() !== '';
  return node.type === 'element' && (node.tagName === 'img' || node.children.some(hasText));
}
