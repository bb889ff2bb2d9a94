/**
 * Converts Markdown to an HTML tree: raw HTML parsed, ids on headings, links for embeds. It is not
 * safe: every caller must pass it through `sanitise` last.
 */
import type { Element, Root as HtmlRoot, Nodes } from 'hast';
import { sanitize } from 'hast-util-sanitize';
import type { ListItem, Parents, Root } from 'mdast';
import rehypeRaw from 'rehype-raw';
import remarkRehype, { defaultHandlers } from 'remark-rehype';
import { unified } from 'unified';
import { closeTree } from '../markdown/close-tree.ts';
import { dropHidden } from '../text/clean-text.ts';
import { walkTree } from '../walk-tree.ts';
import { isFootnoteLabel, prepareElements } from './elements/prepare-elements.ts';
import { renameBlocks } from './elements/rename-blocks.ts';
import { articleSchema } from './sanitise-schema.ts';

const toHtmlTree = unified().use(remarkRehype, { allowDangerousHtml: true, handlers: { listItem } }).freeze();
const parseRaw = unified().use(rehypeRaw).freeze();

export interface RenderOptions {
  /** Origin of the site: links to it are not outbound. */
  siteOrigin: string;
  /** A leading heading of level 1 with this text is removed: the page shows the title itself. */
  title: string;
}

export function renderTree(tree: Root, options: RenderOptions): HtmlRoot {
  let html = toHtmlTree.runSync(closeTree(tree)) as HtmlRoot;
  if (hasRaw(html)) {
    html = parseRaw.runSync(html) as HtmlRoot;
    renameBlocks(html);
  }
  prepareElements(html, options);
  return html;
}

/**
 * Keeps only allowed elements, and no hidden text. Documents have no hidden text, except as
 * character references (`&#xE0041;`). Idempotent.
 */
export function sanitise(tree: HtmlRoot): HtmlRoot {
  const safe = sanitize(tree, articleSchema);
  walkTree<Nodes>(safe, (node) => {
    if (node.type === 'text') node.value = dropHidden(node.value);
    if (node.type === 'element') dropHiddenWords(node);
    return undefined;
  });
  return safe.type === 'root' ? safe : { type: 'root', children: safe.type === 'doctype' ? [] : [safe] };
}

function dropHiddenWords({ properties }: Element): void {
  for (const name of ['alt', 'title']) {
    const { [name]: words } = properties;
    if (typeof words === 'string') properties[name] = dropHidden(words);
  }
}

/** A comment (`<!--more-->`) needs no parsing, because the sanitiser drops raw nodes. */
const COMMENT = /^\s*<!--(?:(?!-->)[\s\S])*-->\s*$/;

/** Parsing raw HTML costs as much as the rest of rendering, and most articles have none. */
function hasRaw(tree: HtmlRoot): boolean {
  let found = false;
  walkTree<Nodes>(tree, (node) => {
    found ||= node.type === 'raw' && !COMMENT.test(node.value);
    return found ? 'skip' : undefined;
  });
  return found;
}

/** Lists with loose items. The library searches all items of a list for each of them. */
const looseLists = new WeakMap<Parents, boolean>();

function listItem(
  state: Parameters<typeof defaultHandlers.listItem>[0],
  item: ListItem,
  parent: Parents | undefined,
): Element {
  if (parent?.type !== 'list') return defaultHandlers.listItem(state, item, parent);
  let spread = looseLists.get(parent);
  if (spread === undefined) {
    spread = parent.spread === true || parent.children.some(isLoose);
    looseLists.set(parent, spread);
  }
  return defaultHandlers.listItem(state, { ...item, spread }, undefined);
}

function isLoose({ spread, children }: ListItem): boolean {
  return spread ?? children.length > 1;
}

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
