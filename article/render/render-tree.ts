/**
 * Markdown tree → HTML tree: raw HTML parsed, headings named, outside links marked, images lazy, embeds made links. What
 * comes out is not safe yet: `sanitise` is the last step of every way out.
 */
import type { Root as HtmlRoot, Nodes } from 'hast';
import { sanitize } from 'hast-util-sanitize';
import type { Root } from 'mdast';
import rehypeRaw from 'rehype-raw';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { walkTree } from '../walk-tree.ts';
import { prepareElements } from './prepare-elements.ts';
import { articleSchema } from './sanitise-schema.ts';

const toHtmlTree = unified().use(remarkRehype, { allowDangerousHtml: true }).freeze();
const parseRaw = unified().use(rehypeRaw).freeze();

export interface RenderOptions {
  /** Origin of the site: links to it are not outside links. */
  siteOrigin: string;
  /** A leading heading of level 1 with this text is the page's own headline and is left out. */
  title: string;
}

export function renderTree(tree: Root, options: RenderOptions): HtmlRoot {
  let html = toHtmlTree.runSync(tree) as HtmlRoot;
  if (hasRaw(html)) html = parseRaw.runSync(html) as HtmlRoot;
  prepareElements(html, options);
  return html;
}

/** Only what the allow-list names. Idempotent. */
export function sanitise(tree: HtmlRoot): HtmlRoot {
  const safe = sanitize(tree, articleSchema);
  return safe.type === 'root' ? safe : { type: 'root', children: safe.type === 'doctype' ? [] : [safe] };
}

/** Comments (`<!--more-->`) are no reason to parse: the sanitiser drops what is raw. */
const COMMENT = /^\s*<!--(?:(?!-->)[\s\S])*-->\s*$/;

/** Parsing costs as much as all the rest of rendering; most articles have no raw HTML. */
function hasRaw(tree: HtmlRoot): boolean {
  let found = false;
  walkTree<Nodes>(tree, (node) => {
    found ||= node.type === 'raw' && !COMMENT.test(node.value);
    return found ? 'skip' : undefined;
  });
  return found;
}
