/**
 * Writes an article's body as HTML for Ghost's import. Elements that Ghost's editor preserves are
 * sent unchanged and stay editable there. All others (tables, footnotes, details) go into HTML
 * cards, which Ghost shows unchanged.
 */
import type { Element, Nodes, Properties, RootContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { walkTree } from '../../article/walk-tree.ts';
import { LossList } from '../format/losses.ts';
import { isFormulaElement, renderBody } from '../format/render-body.ts';
import { LABEL } from './limits.ts';
import { isNative, simplifyFigure } from './native.ts';

/** Authors cannot write these: comments are sanitised, and `toHtml` escapes every `<`. */
const CARD_BEGIN = '<!--kg-card-begin: html-->';
const CARD_END = '<!--kg-card-end: html-->';

/**
 * Ghost's conversion time grows with the square of the elements, and of the siblings within a card.
 * An article of 30,000 paragraphs stopped a whole site for two minutes; as one card with one
 * element it took two seconds.
 */
const MAX_ELEMENTS = 2000;
const MAX_SIBLINGS = 100;

export function writeBody(article: DeliverableArticle): { body: string; losses: Notice[] } {
  const losses = new LossList();
  const tree = renderBody(article, {
    onLiquid(text) {
      losses.add('embed_linked', `${LABEL} gets a link in place of a Liquid tag that embeds something.`, text);
    },
  });
  simplifyFormulas(tree, losses);
  const targets = findLinkedIds(tree);
  let elements = 0;
  walkTree<Nodes>(tree, (node) => {
    if (node.type !== 'element') return undefined;
    elements += 1;
    if (node.tagName === 'h1') {
      node.tagName = 'h2';
      const message = `${LABEL} reserves first-level headings for titles, so those of the text become second-level headings.`;
      losses.add('heading_lowered', message, node);
    }
    adapt(node, targets, article.canonicalUrl);
    return undefined;
  });
  if (elements <= MAX_ELEMENTS) return { body: writeBlocks(tree.children), losses: losses.list() };
  const message = `${LABEL}’s editor is too slow for an article of this length, so the article is sent as one HTML block.`;
  return {
    body: writeCard(tree.children),
    losses: [...losses.list(), { code: 'single_block', message, path: 'content' }],
  };
}

/** Turns inline formulas into code without a class, which the editor preserves. */
function simplifyFormulas(tree: Nodes, losses: LossList): void {
  // A rendered formula may have no position, but a node before it has one.
  let before = tree;
  walkTree<Nodes>(tree, (node) => {
    if (node.position) before = node;
    if (!('children' in node)) return undefined;
    for (const child of node.children) {
      if (child.type !== 'element' || !isFormulaElement(child)) continue;
      losses.add('math_as_code', `${LABEL} shows formulas as source code.`, child, before);
      if (node.type === 'element' && node.tagName !== 'pre') delete child.properties.className;
    }
    return undefined;
  });
}

/** Adjacent blocks that Ghost would lose share a card. */
function writeBlocks(blocks: RootContent[]): string {
  const parts: string[] = [];
  let card: RootContent[] = [];
  const closeCard = () => {
    if (card.length > 0) parts.push(writeCard(card));
    card = [];
  };
  for (const block of blocks) {
    if (block.type === 'text' && block.value.trim() === '') {
      if (card.length > 0) card.push(block);
    } else if (isNative(block)) {
      closeCard();
      parts.push(toHtml(block));
    } else {
      card.push(block);
    }
  }
  closeCard();
  return parts.join('\n');
}

function writeCard(blocks: RootContent[]): string {
  const html = toHtml({ type: 'root', children: blocks }).trim();
  // Only above the limit: themes add spacing to direct children of the text.
  const content = blocks.length > MAX_SIBLINGS ? `<div>\n${html}\n</div>` : html;
  return `${CARD_BEGIN}\n${content}\n${CARD_END}`;
}

/** Ids that the article links to. Ghost assigns others, so these headings need a card. */
function findLinkedIds(tree: Nodes): Set<string> {
  const ids = new Set<string>();
  walkTree<Nodes>(tree, (node) => {
    if (node.type !== 'element') return undefined;
    const { href, ariaDescribedBy } = node.properties;
    if (typeof href === 'string' && href.startsWith('#')) ids.add(href.slice(1)).add(decodeFragment(href.slice(1)));
    if (Array.isArray(ariaDescribedBy)) for (const id of ariaDescribedBy) ids.add(String(id));
    return undefined;
  });
  return ids;
}

function adapt(node: Element, targets: ReadonlySet<string>, canonicalUrl: string): void {
  const { properties } = node;
  if (typeof properties.id === 'string' && !targets.has(properties.id)) delete properties.id;
  if (node.tagName === 'del' || node.tagName === 'strike') {
    // Ghost's editor supports only `s`.
    node.tagName = 's';
    delete properties.cite;
  }
  // These are the author's links on the author's site, so search engines may follow them.
  if (node.tagName === 'a') delete properties.rel;
  // Themes have no styles for the kinds of alerts, and the text names the kind.
  if (node.tagName === 'blockquote') delete properties.className;
  if (node.tagName === 'figure') simplifyFigure(node);
  if (node.tagName === 'img') {
    delete properties.loading;
    delete properties.decoding;
  }
  // Ghost would resolve relative addresses against its own site.
  for (const name of ['href', 'src']) makeAbsolute(properties, name, canonicalUrl);
  for (const [name, value] of Object.entries(properties)) {
    // Parsers read no markup in quotes, but Ghost might search for cards without parsing.
    if (typeof value === 'string') properties[name] = value.replace(/<(?=[!/a-z])/gi, '< ');
  }
}

function makeAbsolute(properties: Properties, name: string, base: string): void {
  const value = properties[name];
  if (typeof value !== 'string' || value.startsWith('#') || /^[a-z][\w+.-]*:/i.test(value)) return;
  if (URL.canParse(value, base)) properties[name] = new URL(value, base).href;
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A stray percent sign: the fragment is taken literally.
    return fragment;
  }
}
