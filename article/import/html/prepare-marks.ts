/** Removes marks that a style cancels. Google Docs adds `<b style="font-weight:normal">`. */
import type { Nodes } from 'hast';
import { visit } from 'unist-util-visit';

const CANCELLED: Record<string, RegExp> = {
  b: /(?:^|;)\s*font-weight\s*:\s*(?:normal|400)\b/i,
  i: /(?:^|;)\s*font-style\s*:\s*normal\b/i,
};

export function prepareMarks(tree: Nodes): void {
  visit(tree, 'element', (node) => {
    const { style } = node.properties;
    if (typeof style === 'string' && CANCELLED[node.tagName]?.test(style)) node.tagName = 'span';
  });
}
