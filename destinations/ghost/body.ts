/**
 * An article's body as the HTML that Ghost imports. What its editor keeps is sent as it is and stays editable there;
 * everything else (tables, footnotes, details) goes into HTML cards, which Ghost shows unchanged.
 */
import type { Element, Nodes, Properties, RootContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { walkTree } from '../../article/walk-tree.ts';
import { renderBody } from '../format/render-body.ts';
import { LABEL } from './limits.ts';
import { isNative } from './native.ts';

/** An author cannot write these: the sanitiser removes comments, and `toHtml` escapes every `<` in text. */
const CARD_BEGIN = '<!--kg-card-begin: html-->';
const CARD_END = '<!--kg-card-end: html-->';

/**
 * Ghost's time grows with the square of the elements it converts, and of the siblings within a card: an article of 30,000
 * paragraphs stopped a whole site for two minutes. As one card with one element it took two seconds.
 */
const MOST_ELEMENTS = 2000;
const MOST_NEIGHBOURS = 100;

export function writeBody(article: DeliverableArticle): { body: string; losses: Notice[] } {
  const tree = renderBody(article);
  const targets = findLinkedIds(tree);
  const losses: Notice[] = [];
  let elements = 0;
  walkTree<Nodes>(tree, (node) => {
    if (node.type !== 'element') return undefined;
    elements += 1;
    if (node.tagName === 'h1') {
      node.tagName = 'h2';
      const message = `${LABEL} keeps headings of the first level for titles, so this one is of the second.`;
      const line = node.position?.start.line;
      losses.push({ code: 'heading_lowered', message, ...(line === undefined ? {} : { line }) });
    }
    adapt(node, targets, article.canonicalUrl);
    return undefined;
  });
  if (elements <= MOST_ELEMENTS) return { body: writeBlocks(tree.children), losses };
  const message = `${LABEL}’s editor is too slow for an article of this length, so it gets one block of HTML.`;
  losses.push({ code: 'single_block', message, path: 'content' });
  return { body: writeCard(tree.children), losses };
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
  // Only then: themes add spacing to direct children of the text.
  const content = blocks.length > MOST_NEIGHBOURS ? `<div>\n${html}\n</div>` : html;
  return `${CARD_BEGIN}\n${content}\n${CARD_END}`;
}

/** Ids that the article links to. Ghost gives headings ids of its own, so these headings need a card. */
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
    // Ghost's editor knows only `s`.
    node.tagName = 's';
    delete properties.cite;
  }
  // These are the author's links on the author's site, so search engines may follow them.
  if (node.tagName === 'a') delete properties.rel;
  if (node.tagName === 'img') {
    delete properties.loading;
    delete properties.decoding;
  }
  // Ghost would read them as addresses of its own site.
  for (const name of ['href', 'src']) makeAbsolute(properties, name, canonicalUrl);
  for (const [name, value] of Object.entries(properties)) {
    // No markup to a parser, because it is in quotes; but Ghost might look for cards without parsing.
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
