/** The page has one heading of level 1, the title. The Markdown and what destinations get keep the levels of the author. */
import type { Root as HtmlRoot, Nodes } from 'hast';
import { walkTree } from '../walk-tree.ts';
import { isFootnoteLabel } from './prepare-elements.ts';

const LEVEL = /^h([1-6])$/;

/** If the text has headings of level 1, all of its headings are one level lower, so that parts stay above their own parts. Changes the tree. */
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
