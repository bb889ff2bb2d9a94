/** Reduces an HTML tree to what Medium preserves. Other elements become their content. */
import type { Element, ElementContent, Nodes, RootContent } from 'hast';
import type { DeliverableArticle, Notice } from '../../article/types.ts';
import { buildElement } from '../format/figure.ts';
import { LossList } from '../format/losses.ts';
import { isFormulaElement, renderBody } from '../format/render-body.ts';
import { isWebAddress } from '../format/web-address.ts';
import { isFootnoteSection, readFootnoteLabel, readNotes } from './notes.ts';
import { writeTable } from './table-text.ts';

const HEADINGS: Record<string, string> = { h1: 'h3', h2: 'h3', h3: 'h4', h4: 'h4', h5: 'h4', h6: 'h4' };
const RENAMED: Record<string, string> = { ...HEADINGS, dt: 'p', dd: 'p', summary: 'p' };
const PRESERVED = new Set([
  ...['p', 'blockquote', 'figure', 'figcaption', 'ul', 'ol', 'li', 'hr', 'br'],
  ...['a', 'strong', 'b', 'em', 'i', 'code', 'kbd', 'samp', 'sub', 'sup', 's', 'del', 'strike', 'u', 'mark', 'q'],
]);
/** Groups that Medium ignores. One without blocks becomes a paragraph. */
const GROUPS = new Set(['div', 'section', 'details', 'dl']);
const BLOCKS = new Set(['p', 'blockquote', 'figure', 'ul', 'ol', 'li', 'hr', 'pre', 'h3', 'h4']);

const MESSAGES = {
  table_as_text: 'Medium has no tables, so they become aligned text.',
  footnotes_flattened: 'Medium gets footnotes as a list of notes at the end.',
  headings_flattened: 'Medium has two levels of headings; lower levels become second-level headings.',
  embed_linked: 'Medium gets a link in place of a Liquid tag that embeds something.',
  math_as_code: 'Medium shows formulas as source code.',
  image_dropped: 'Medium fetches images by their full web address only; this one is left out.',
  link_dropped: 'Medium gets only the text of this link, because its address is not a full web address.',
  details_opened: 'Medium cannot collapse text, so collapsed text is shown.',
} as const;

export function writeBody(article: DeliverableArticle): { body: ElementContent[]; losses: Notice[] } {
  // Without a canonical URL the post is refused, so the base of fragment links has no effect.
  const canonicalUrl = isWebAddress(article.canonicalUrl) ? article.canonicalUrl : 'https://localhost/';
  const losses = new LossList();
  const report = (code: keyof typeof MESSAGES, node: Nodes) => losses.add(code, MESSAGES[code], node);

  const adaptAll = (nodes: readonly RootContent[]): ElementContent[] => {
    const contents = nodes.filter((node): node is ElementContent => node.type === 'element' || node.type === 'text');
    return contents.flatMap(adapt);
  };

  const adapt = (node: ElementContent): ElementContent[] => {
    if (node.type === 'text') return [node];
    if (node.type !== 'element') return [];
    if (isFormulaElement(node)) report('math_as_code', node);
    const label = readFootnoteLabel(node);
    if (label !== null) return [buildText(`[${label}]`)];
    if (isFootnoteSection(node)) return adaptNotes(node);
    switch (node.tagName) {
      case 'pre':
        if (node.children.some(isFormulaElement)) report('math_as_code', node);
        return [buildPreformatted(readCode(node).replace(/\n$/, ''))];
      case 'table':
        report('table_as_text', node);
        return [buildPreformatted(writeTable(node))];
      case 'code':
        return [buildElement('code', {}, [buildText(readCode(node))])];
      case 'a':
        return adaptLink(node);
      case 'img':
        return adaptImage(node);
      case 'input':
        return [buildText(node.properties.checked ? '☑' : '☐')];
      default:
        return adaptOther(node);
    }
  };

  const adaptOther = (node: Element): ElementContent[] => {
    if (node.tagName === 'details') report('details_opened', node);
    if (/^h[4-6]$/.test(node.tagName)) report('headings_flattened', node);
    const children = adaptAll(node.children);
    const name = RENAMED[node.tagName] ?? node.tagName;
    if (name === 'p' && isLoneImage(children)) return [buildElement('figure', {}, children)];
    if (name in HEADINGS || name === 'p' || PRESERVED.has(name)) {
      const { start } = node.properties;
      return [buildElement(name, name === 'ol' && start !== undefined ? { start } : {}, children)];
    }
    const isParagraph = GROUPS.has(name) && !children.some(isBlock) && !children.every(isBlank);
    return isParagraph ? [buildElement('p', {}, children)] : children;
  };

  const adaptLink = (node: Element): ElementContent[] => {
    const children = adaptAll(node.children);
    const original = String(node.properties.href ?? '');
    // Headings have no anchors on Medium, but they do on the canonical page.
    const href = original.startsWith('#') && original !== '#' ? new URL(original, canonicalUrl).href : original;
    if (isWebAddress(href) || /^(?:mailto|tel):/i.test(href)) return [buildElement('a', { href }, children)];
    if (href !== '' && href !== '#') report('link_dropped', node);
    return children;
  };

  const adaptImage = (node: Element): ElementContent[] => {
    const { src, alt } = node.properties;
    if (typeof src === 'string' && isWebAddress(src))
      return [buildElement('img', { src, ...(alt ? { alt } : {}) }, [])];
    report('image_dropped', node);
    return typeof alt === 'string' && alt.trim() !== '' ? [buildText(alt)] : [];
  };

  const adaptNotes = (section: Element): ElementContent[] => {
    const notes = readNotes(section);
    if (notes.length === 0) return [];
    for (const note of notes) report('footnotes_flattened', note);
    const items = notes.map((note) => buildElement('li', {}, adaptAll(note.children)));
    return [buildElement('hr', {}, []), buildElement('h4', {}, [buildText('Notes')]), buildElement('ol', {}, items)];
  };

  const tree = renderBody(article, { onLiquid: (text) => report('embed_linked', text) });
  return { body: adaptAll(tree.children), losses: losses.list() };
}

export function buildText(value: string): ElementContent {
  return { type: 'text', value };
}

/** HTML parsers drop the first line break of `<pre>`, so code that begins with one gets another. */
function buildPreformatted(value: string): Element {
  return buildElement('pre', {}, [buildText(value.startsWith('\n') ? `\n${value}` : value)]);
}

/** Reads the text and the line breaks of code, and nothing else. */
function readCode(node: ElementContent): string {
  if (node.type === 'text') return node.value;
  if (node.type !== 'element') return '';
  return node.tagName === 'br' ? '\n' : node.children.map(readCode).join('');
}

function isLoneImage(children: ElementContent[]): boolean {
  const [only, ...others] = children.filter((child) => !isBlank(child));
  return others.length === 0 && only?.type === 'element' && only.tagName === 'img';
}

function isBlock(node: ElementContent): boolean {
  return node.type === 'element' && BLOCKS.has(node.tagName);
}

function isBlank(node: ElementContent): boolean {
  return node.type === 'text' && node.value.trim() === '';
}
