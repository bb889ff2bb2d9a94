/**
 * Replaces Liquid tags that embed something (`{% youtube … %}`) with links. Other tags and code
 * stay.
 */
import type { ElementContent, Root as HtmlRoot, Nodes } from 'hast';
import { linkLiquidTags } from '../embeds/liquid-links.ts';
import { walkTree } from '../walk-tree.ts';

/** Changes the tree, which must be sanitised afterwards. */
export function linkLiquidEmbeds(tree: HtmlRoot): void {
  walkTree<Nodes>(tree, (node) => {
    if (node.type !== 'element') return undefined;
    if (node.tagName === 'code' || node.tagName === 'pre' || node.tagName === 'a') return 'skip';
    const known = new Set(node.children);
    const linked = linkLiquidTags(node.children, () => undefined);
    node.children = linked.map((child) => (known.has(child) ? child : markLink(child)));
    return undefined;
  });
}

function markLink(node: ElementContent): ElementContent {
  if (node.type !== 'element') return node;
  return { ...node, properties: { ...node.properties, rel: ['nofollow', 'ugc', 'noopener'] } };
}
