/**
 * Renders a body as a safe HTML tree for platforms that accept HTML. Removes the title heading,
 * links embeds and embedding Liquid tags, sanitises raw HTML, and writes code as `<pre><code
 * class="language-x">` without colours. Each platform adapts the tree.
 */
import type { ElementContent, Nodes, Root, Text } from 'hast';
import type { Root as MarkdownRoot } from 'mdast';
import { parseMarkdown } from '../../article/markdown/parse-markdown.ts';
import { linkLiquidEmbeds } from '../../article/render/link-liquid.ts';
import { renderTree, sanitise } from '../../article/render/render-tree.ts';
import type { DeliverableArticle } from '../../article/types.ts';

export interface RenderBodyOptions {
  /** The tree of the body, if it is parsed already. */
  tree?: MarkdownRoot;
  /** Called for each Liquid tag that became a link, with its text and the children around it. */
  onLiquid: (text: Text, around: readonly ElementContent[]) => void;
}

export function renderBody(article: DeliverableArticle, { tree, onLiquid }: RenderBodyOptions): Root {
  const { body, title, canonicalUrl } = article;
  const siteOrigin = URL.canParse(canonicalUrl) ? new URL(canonicalUrl).origin : '';
  const html = renderTree(tree ?? parseMarkdown(body), { siteOrigin, title });
  linkLiquidEmbeds(html, onLiquid);
  return sanitise(html);
}

/** Platforms that accept HTML get formulas as code, because none of them renders math. */
export function isFormulaElement(node: Nodes): boolean {
  if (node.type !== 'element' || node.tagName !== 'code') return false;
  const { className } = node.properties;
  return Array.isArray(className) && className.includes('language-math');
}
