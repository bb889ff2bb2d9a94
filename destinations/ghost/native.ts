/**
 * Decides which HTML Ghost's editor preserves. It converts HTML into its own document and silently
 * drops the rest; these elements were observed to stay unchanged. It removes the ids of footnotes,
 * so links to them work in HTML cards only.
 */
import type { Element, ElementContent, Nodes } from 'hast';
import { isBare as hasOnly, listSolid, readFigure } from '../format/figure.ts';

const INLINE = new Set(['strong', 'b', 'em', 'i', 's', 'u', 'sub', 'sup']);
const HEADINGS = new Set(['h2', 'h3', 'h4', 'h5', 'h6']);
const IMAGE_ATTRIBUTES = ['src', 'alt', 'title', 'width', 'height'];

/** True for a top-level block that Ghost preserves unchanged. */
export function isNative(node: Nodes): boolean {
  if (node.type !== 'element') return false;
  if (node.tagName === 'img') return hasOnly(node, IMAGE_ATTRIBUTES);
  if (node.tagName === 'p') return isParagraph(node) || isImageAlone(node);
  if (node.tagName === 'figure') return isFigure(node);
  if (node.tagName === 'pre') return isCodeBlock(node);
  if (node.tagName === 'ul' || node.tagName === 'ol') return isList(node);
  if (node.tagName === 'blockquote') return hasOnly(node, []) && listSolid(node.children).every(isParagraph);
  if (node.tagName === 'hr') return hasOnly(node, []);
  return HEADINGS.has(node.tagName) && hasOnly(node, []) && node.children.every(isInline);
}

function isParagraph(node: Nodes): boolean {
  return node.type === 'element' && node.tagName === 'p' && hasOnly(node, []) && node.children.every(isInline);
}

/** Ghost moves an image out of a text, and loses a linked one. */
function isImageAlone(paragraph: Element): boolean {
  const [image, ...others] = listSolid(paragraph.children);
  const isImage = image?.type === 'element' && image.tagName === 'img' && hasOnly(image, IMAGE_ATTRIBUTES);
  return hasOnly(paragraph, []) && isImage && others.length === 0;
}

/** An image card with its caption. Older editors lose the link of an image. */
function isFigure(node: Element): boolean {
  const figure = readFigure(node);
  if (figure === null || figure.href !== null) return false;
  return hasOnly(figure.image, IMAGE_ATTRIBUTES) && (figure.caption ?? []).every(isInline);
}

/** Removes the paragraphs inside a figure, because the editor does not read them. */
export function simplifyFigure(node: Element): void {
  const figure = readFigure(node);
  if (figure === null || figure.href !== null) return;
  const { image, caption } = figure;
  const below: ElementContent[] =
    caption === null ? [] : [{ type: 'element', tagName: 'figcaption', properties: {}, children: caption }];
  node.children = [image, ...below];
}

function isInline(node: Nodes): boolean {
  if (node.type === 'text') return true;
  if (node.type !== 'element') return false;
  if (node.tagName === 'br') return true;
  if (node.tagName === 'code') return hasOnly(node, []) && node.children.every(({ type }) => type === 'text');
  if (node.tagName === 'a') return hasOnly(node, ['href']) && node.children.every(isInline);
  return INLINE.has(node.tagName) && hasOnly(node, []) && node.children.every(isInline);
}

function isCodeBlock(node: Element): boolean {
  const [code, ...others] = node.children;
  if (code?.type !== 'element' || code.tagName !== 'code' || others.length > 0) return false;
  return hasOnly(node, []) && hasOnly(code, ['className']) && code.children.every(({ type }) => type === 'text');
}

function isList(node: Element): boolean {
  return hasOnly(node, node.tagName === 'ol' ? ['start'] : []) && listSolid(node.children).every(isListItem);
}

/** Text or one paragraph, then lists. Ghost joins further paragraphs and moves code out. */
function isListItem(node: Nodes): boolean {
  if (node.type !== 'element' || node.tagName !== 'li' || !hasOnly(node, [])) return false;
  const content = listSolid(node.children);
  const firstList = content.findIndex((child) => child.type === 'element' && /^[uo]l$/.test(child.tagName));
  const words = firstList === -1 ? content : content.slice(0, firstList);
  const lists = firstList === -1 ? [] : content.slice(firstList);
  const isText = words.every(isInline) || (words.length === 1 && words.every(isParagraph));
  return words.length > 0 && isText && lists.every((child) => child.type === 'element' && isList(child));
}
