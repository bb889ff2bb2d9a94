/** Lowers headings on pages, where only the title has level 1. */
import type { Root as HtmlRoot, Nodes } from 'hast';
import { walkTree } from '../walk-tree.ts';
import { isFootnoteLabel } from './elements/prepare-elements.ts';

const LEVEL = /^h([1-6])$/;

/** If a heading has level 1, lowers all by one, which preserves their order, in place. */
export function demoteHeadings(tree: HtmlRoot): void {
  let isNeeded = false;
  walkTree<Nodes>(tree, (node) => {
    isNeeded ||= node.type === 'element' && node.tagName === 'h1';
    return isNeeded ? 'skip' : undefined;
  });
  if (!isNeeded) return;
  walkTree<Nodes>(tree, (node) => {
    if (node.type !== 'element' || isFootnoteLabel(node)) return undefined;
    const level = LEVEL.exec(node.tagName)?.[1];
    if (level !== undefined) node.tagName = `h${Math.min(6, Number(level) + 1)}`;
    return undefined;
  });
}
