/**
 * Removes permalink anchors from headings, and joins block elements inside a heading into one line.
 */
import type { ElementContent, Nodes } from 'hast';
import { toText } from 'hast-util-to-text';
import { SKIP, visit } from 'unist-util-visit';

export function prepareHeadings(tree: Nodes): void {
  visit(tree, 'element', (node) => {
    if (!/^h[1-6]$/.test(node.tagName)) return undefined;
    node.children = node.children.filter((child) => !isAnchor(child));
    visit(node, 'element', (inner) => {
      if (BLOCKS.has(inner.tagName)) inner.tagName = 'span';
    });
    return SKIP;
  });
}

/** A heading of Markdown has one line: a block of code in it would lose its text. */
const BLOCKS: ReadonlySet<string> = new Set(
  'blockquote caption dd details div dl dt figcaption figure li ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);

function isAnchor(node: ElementContent): boolean {
  if (node.type !== 'element' || node.tagName !== 'a') return false;
  const { href, className } = node.properties;
  const isHere = href === undefined || String(href).startsWith('#');
  const isMarked = /anchor|headerlink|permalink|hash-link/i.test(String(className ?? ''));
  return (isHere || isMarked) && /^[#¶§🔗\s]*$/u.test(toText(node));
}
