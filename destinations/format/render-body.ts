/**
 * An article's body as a safe HTML tree, for platforms that take HTML: without the title's own heading, with links for
 * embeds, raw HTML sanitised, code as `<pre><code class="language-x">` without colours. Each platform adapts the tree to
 * what it can show.
 */
import type { Root } from 'hast';
import { parseMarkdown } from '../../article/markdown/parse-markdown.ts';
import { renderTree, sanitise } from '../../article/render/render-tree.ts';
import type { DeliverableArticle } from '../../article/types.ts';

export function renderBody({ body, title, canonicalUrl }: DeliverableArticle): Root {
  const siteOrigin = URL.canParse(canonicalUrl) ? new URL(canonicalUrl).origin : '';
  return sanitise(renderTree(parseMarkdown(body), { siteOrigin, title }));
}
