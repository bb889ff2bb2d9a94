/**
 * Renames block elements that articles do not have to `<div>`. Without tags, their words would join
 * the text around them.
 */
import type { Nodes } from 'hast';
import { walkTree } from '../../walk-tree.ts';

const UNKNOWN_BLOCKS: ReadonlySet<string> = new Set(
  'address article aside center dialog fieldset footer form header hgroup legend listing main nav'.split(' '),
);
const LISTS: ReadonlySet<string> = new Set(['dir', 'menu']);

export function renameBlocks(tree: Nodes): void {
  walkTree<Nodes>(tree, (node) => {
    if (node.type !== 'element') return undefined;
    if (UNKNOWN_BLOCKS.has(node.tagName)) node.tagName = 'div';
    else if (LISTS.has(node.tagName)) node.tagName = 'ul';
    return undefined;
  });
}
