/** Reads a figure of one image, as HTML or with Markdown in it. */
import type { Element, ElementContent, Properties } from 'hast';

export interface Figure {
  image: Element;
  /** The address that the image links to. */
  href: string | null;
  /** Null if there is none. */
  caption: ElementContent[] | null;
}

/** Null if the figure contains anything else, or an element in it has further attributes. */
export function readFigure(node: Element): Figure | null {
  const [image, caption, ...others] = listSolid(node.children);
  if (node.tagName !== 'figure' || image === undefined || others.length > 0 || !isBare(node)) return null;
  const [inner, ...more] = listSolid(unwrapParagraph([image]));
  const figure = inner === undefined || more.length > 0 ? null : readImage(inner);
  if (figure === null || caption === undefined) return figure;
  if (caption.type !== 'element' || caption.tagName !== 'figcaption' || !isBare(caption)) return null;
  const words = unwrapParagraph(caption.children);
  return { ...figure, caption: listSolid(words).length === 0 ? null : words };
}

/** An image, with or without a link around it. */
export function readImage(node: ElementContent): Figure | null {
  if (node.type !== 'element') return null;
  if (node.tagName === 'img') return { image: node, href: null, caption: null };
  const [image, ...others] = listSolid(node.children);
  if (image?.type !== 'element' || image.tagName !== 'img' || others.length > 0) return null;
  const { href } = node.properties;
  const isLink = node.tagName === 'a' && typeof href === 'string' && isBare(node, ['href']);
  return isLink ? { image, href, caption: null } : null;
}

/** Children without the white space between blocks. */
export function listSolid(children: readonly ElementContent[]): ElementContent[] {
  return children.filter((child) => child.type !== 'text' || child.value.trim() !== '');
}

/** True if the element has no attributes but these. */
export function isBare({ properties }: Element, known: readonly string[] = []): boolean {
  return Object.entries(properties).every(([name, value]) => value == null || known.includes(name));
}

export function buildElement(tagName: string, properties: Properties, children: ElementContent[] = []): Element {
  return { type: 'element', tagName, properties, children };
}

/** Markdown inside HTML is wrapped in a paragraph. */
function unwrapParagraph(children: ElementContent[]): ElementContent[] {
  const [only, ...others] = listSolid(children);
  const isParagraph = only?.type === 'element' && only.tagName === 'p' && isBare(only);
  return isParagraph && others.length === 0 ? only.children : children;
}
