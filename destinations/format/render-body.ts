/**
 * Renders a body as a safe HTML tree for platforms that accept HTML. Removes the title heading,
 * links embeds and embedding Liquid tags, sanitises raw HTML, and writes code as `<pre><code
 * class="language-x">` without colours. Each platform adapts the tree.
 */
import type { ElementContent, Nodes, Root, Text } from 'hast';
import type { Root as MarkdownRoot } from 'mdast';
import { linkLiquidTags } from '../../article/embeds/liquid-links.ts';
import { parseMarkdown } from '../../article/markdown/parse-markdown.ts';
import { renderTree, sanitise } from '../../article/render/render-tree.ts';
import type { DeliverableArticle } from '../../article/types.ts';
import { walkTree } from '../../article/walk-tree.ts';

export interface RenderBodyOptions {
  /** The tree of the body, if it is parsed already. */
  tree?: MarkdownRoot;
  /**
   * Called for each Liquid tag that became a link, with its former text and the children now around
   * it.
   */
  onLiquid: (text: Text, around: readonly ElementContent[]) => void;
}

export function renderBody(article: DeliverableArticle, { tree, onLiquid }: RenderBodyOptions): Root {
  const { body, title, canonicalUrl } = article;
  const siteOrigin = URL.canParse(canonicalUrl) ? new URL(canonicalUrl).origin : '';
  const html = renderTree(tree ?? parseMarkdown(body), { siteOrigin, title });
  linkLiquid(html, onLiquid);
  return sanitise(html);
}

/** Skips code, and links, which cannot contain links. */
function linkLiquid(tree: Root, onLiquid: RenderBodyOptions['onLiquid']): void {
  walkTree<Nodes>(tree, (node) => {
    if (node.type === 'element' && ['code', 'pre', 'a'].includes(node.tagName)) return 'skip';
    if (!('children' in node)) return undefined;
    const found: Text[] = [];
    const linked = linkLiquidTags(node.children as ElementContent[], (text) => found.push(text));
    if (found.length === 0) return undefined;
    node.children = linked;
    for (const text of found) onLiquid(text, linked);
    return undefined;
  });
}
