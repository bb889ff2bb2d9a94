/** Tells authors which of their raw HTML elements readers will not see. */
import type { Nodes, Root } from 'mdast';
import type { Notice } from '../types.ts';
import { walkTree } from '../walk-tree.ts';

const REMOVED = new Set(
  'script style object embed applet form button textarea select option svg math canvas link meta base template dialog frame frameset marquee'.split(
    ' ',
  ),
);
const REPLACED = new Set(['iframe', 'video', 'audio']);

/** One warning for each element name, at its first place. */
export function findRemovedHtml(tree: Root, bodyLine: number): Notice[] {
  const warnings = new Map<string, Notice>();
  walkTree<Nodes>(tree, (node) => {
    if (node.type !== 'html') return undefined;
    for (const match of node.value.matchAll(/<([a-z][a-z\d-]*)(?=[\s/>])/gi)) {
      const name = (match[1] ?? '').toLowerCase();
      if (warnings.has(name) || (!REMOVED.has(name) && !REPLACED.has(name))) continue;
      const above = node.value.slice(0, match.index).split('\n').length - 1;
      const line = (node.position?.start.line ?? 1) + above + bodyLine - 1;
      const message = REMOVED.has(name)
        ? `<${name}> is not shown to readers; it is removed from the page.`
        : `<${name}> is shown to readers as a link, where its address is one that readers can open.`;
      warnings.set(name, {
        code: REMOVED.has(name) ? 'html_removed' : 'embed_replaced',
        message,
        path: 'content',
        line,
      });
    }
    return undefined;
  });
  return [...warnings.values()];
}
