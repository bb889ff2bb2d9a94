/**
 * Prepares elements for Markdown: absolute addresses, links for embeds, captions below pictures; no
 * permalinks of headings, tracking pixels or marks that a style cancels.
 */
import type { Element, ElementContent, Nodes } from 'hast';
import { toText } from 'hast-util-to-text';
import { SKIP, visit } from 'unist-util-visit';
import { isEmbed, replaceEmbed } from '../../render/embed-links.ts';

/** `base` is null if the base of relative addresses is unknown. */
export function prepareElements(tree: Nodes, base: string | null): void {
  visit(tree, 'element', (node, index, parent) => {
    prepareAddress(node, base);
    if (parent !== undefined && index !== undefined) {
      const replacement = isEmbed(node) ? linkEmbed(node, base, parent.type) : isCounter(node) ? [] : null;
      if (replacement !== null) {
        parent.children.splice(index, 1, ...(replacement as ElementContent[]));
        return [SKIP, index + replacement.length];
      }
    }
    if (/^h[1-6]$/.test(node.tagName)) node.children = node.children.filter((child) => !isAnchor(child));
    if (node.tagName === 'figure') node.children = node.children.flatMap(prepareCaption);
    const { style } = node.properties;
    if (typeof style === 'string' && CANCELLED[node.tagName]?.test(style)) node.tagName = 'span';
    return undefined;
  });
}

const LINKED = /^(?:https?|mailto|tel|xmpp|ircs?):$/;
const SHOWN = /^https?:$/;

function prepareAddress(node: Element, base: string | null): void {
  const { tagName, properties } = node;
  const isLink = tagName === 'a';
  if (!isLink && !/^(?:img|iframe|video|audio|source|embed)$/.test(tagName)) return;
  // Pages with lazy loading have the address in another attribute, beside a placeholder in `src`.
  if (tagName === 'img' && (typeof properties.src !== 'string' || /^data:/i.test(properties.src))) {
    const { dataSrc, dataOriginal, dataLazySrc } = properties;
    const lazySource = [dataSrc, dataOriginal, dataLazySrc].find(isFilled);
    if (lazySource !== undefined) properties.src = lazySource;
  }
  const name = isLink ? 'href' : 'src';
  const value = properties[name];
  const address = typeof value === 'string' ? resolve(value.trim(), base, isLink ? LINKED : SHOWN) : null;
  if (address !== null) properties[name] = address;
  else if (typeof value === 'string') delete properties[name];
  // A link without an address becomes text.
  if (isLink && properties.href === undefined) node.tagName = 'span';
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function resolve(text: string, base: string | null, protocols: RegExp): string | null {
  if (text.startsWith('#')) return text;
  const url = URL.parse(text, base ?? undefined);
  // Without a base a relative address stays. Reading the document warns of it.
  if (url === null) return /^[a-z][a-z\d+.-]*:/i.test(text) ? null : text;
  return protocols.test(url.protocol) && url.username === '' && url.password === '' ? url.href : null;
}

/** A link at the top level needs a paragraph. */
function linkEmbed(node: Element, base: string | null, parent: string): Element[] {
  for (const child of node.children) if (child.type === 'element') prepareAddress(child, base);
  const links = replaceEmbed(node);
  return parent === 'root' ? links.map((link) => build('p', [link])) : links;
}

const COUNTERS =
  /^https?:\/\/(?:medium\.com\/_\/stat|[^/]*feedburner\.com\/~|feeds\.wordpress\.com\/|pixel\.wp\.com\/|stats\.wordpress\.com\/)/i;

/** True for an image of one pixel and for known counters. */
function isCounter({ tagName, properties: { src, width, height } }: Element): boolean {
  if (tagName !== 'img') return false;
  const isPixel = [width, height].every((size) => size !== undefined && /^[01](?:px)?$/.test(String(size)));
  return isPixel || COUNTERS.test(String(src ?? ''));
}

function isAnchor(node: ElementContent): boolean {
  if (node.type !== 'element' || node.tagName !== 'a') return false;
  const { href, className } = node.properties;
  const isOnPage = href === undefined || String(href).startsWith('#');
  const isMarked = /anchor|headerlink|permalink|hash-link/i.test(String(className ?? ''));
  return (isOnPage || isMarked) && /^[#¶§🔗\s]*$/u.test(toText(node));
}

function prepareCaption(child: ElementContent): ElementContent[] {
  if (child.type !== 'element' || child.tagName !== 'figcaption') return [child];
  const text = child.children.filter((part) => part.type !== 'comment');
  if (!text.some(hasText)) return [];
  // A caption that contains blocks cannot be in italics as a whole.
  const isBlock = (part: ElementContent) =>
    part.type === 'element' && /^(?:p|div|ul|ol|pre|blockquote|table)$/.test(part.tagName);
  return text.some(isBlock) ? text : [build('p', [build('em', text)])];
}

function hasText(node: ElementContent): boolean {
  if (node.type === 'text') return node.value.trim() !== '';
  if (node.type !== 'element') return false;
  if (node.tagName === 'img') return !isCounter(node);
  return node.children.some(hasText) || isEmbed(node);
}

/** Google Docs adds `<b style="font-weight:normal">`. */
const CANCELLED: Record<string, RegExp> = {
  b: /(?:^|;)\s*font-weight\s*:\s*(?:normal|400)\b/i,
  i: /(?:^|;)\s*font-style\s*:\s*normal\b/i,
};

function build(tagName: string, children: ElementContent[]): Element {
  return { type: 'element', tagName, properties: {}, children };
}
