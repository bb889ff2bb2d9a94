/**
 * In a table cell a backslash before a bar belongs to the table, even within code, so Markdown
 * cannot write code with these two signs. Such code becomes HTML tags with text between them.
 */
import type { Nodes, PhrasingContent, Root } from 'mdast';
import { walkTree } from '../../walk-tree.ts';

export function tagCodeInCells(tree: Root): void {
  walkTree<Nodes>(tree, (node) => {
    if (node.type !== 'tableCell') return undefined;
    walkTree<Nodes>(node, tagCode);
    return 'skip';
  });
}

function tagCode(node: Nodes): undefined {
  if (!('children' in node)) return undefined;
  const parts = (node.children as PhrasingContent[]).flatMap((child): PhrasingContent[] => {
    if (child.type !== 'inlineCode' || !child.value.includes('\\|')) return [child];
    const text: PhrasingContent = { type: 'text', value: child.value };
    return [{ type: 'html', value: '<code>' }, text, { type: 'html', value: '</code>' }];
  });
  node.children = parts as never;
  return undefined;
}
