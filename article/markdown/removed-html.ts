/** Tells authors which of their raw HTML elements readers will not see. */
import type { Nodes, Root } from 'mdast';
import { findScriptPage } from '../embeds/frame-address.ts';
import type { Notice } from '../types.ts';
import { walkTree } from '../walk-tree.ts';
import { findHtmlAddresses } from './html-addresses.ts';

const REMOVED = new Set(
  'script style applet form button textarea select option svg math canvas link meta base template dialog frame frameset marquee'.split(
    ' ',
  ),
);
const REPLACED = new Set(['iframe', 'video', 'audio', 'object', 'embed', 'script of a page']);

/** One warning for each element name, at its first place. */
export function findRemovedHtml(tree: Root, bodyLine: number): Notice[] {
  const warnings = new Map<string, Notice>();
  walkTree<Nodes>(tree, (node) => {
    if (node.type !== 'html') return undefined;
    for (const match of node.value.matchAll(/<([a-z][a-z\d-]*)(?=[\s/>])/gi)) {
      const tag = (match[1] ?? '').toLowerCase();
      const name = tag === 'script' && isScriptOfPage(node.value.slice(match.index)) ? 'script of a page' : tag;
      if (warnings.has(name) || (!REMOVED.has(name) && !REPLACED.has(name))) continue;
      const above = node.value.slice(0, match.index).split('\n').length - 1;
      const line = (node.position?.start.line ?? 1) + above + bodyLine - 1;
      const message = REMOVED.has(name)
        ? `<${tag}> is not shown to readers; it is removed from the page.`
        : `<${tag}> is shown to readers as a link, where its address is one that readers can open.`;
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

/** Such a script (a gist's) is replaced by a link, as a frame is. */
function isScriptOfPage(html: string): boolean {
  const [first] = findHtmlAddresses(html.slice(0, 1_000));
  return (
    first !== undefined &&
    URL.canParse(first.value, 'https://a') &&
    findScriptPage(new URL(first.value, 'https://a')) !== null
  );
}
