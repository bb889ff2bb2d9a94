/** Images as core's image block, written exactly as its editor does: with a caption, a link, a size, a side. */
import type { Element, ElementContent } from 'hast';

export interface ImageBlock {
  figure: Element;
  attributes: Record<string, string>;
}

/** The blocks of a paragraph that holds nothing but images; null for any other, and for images that core has no block for. */
export function readLoneImages(children: readonly ElementContent[]): ImageBlock[] | null {
  const images = listSolid(children).filter((child) => child.type !== 'element' || child.tagName !== 'br');
  const blocks = images.map((child) => readImage(child, null));
  return blocks.length > 0 && blocks.every((block) => block !== null) ? blocks : null;
}

/** A figure of one image, and perhaps a caption below it. */
export function readFigure({ children, properties }: Element, isLine: (node: Element) => boolean): ImageBlock | null {
  const [image, caption, ...others] = listSolid(children);
  if (image === undefined || others.length > 0 || !hasOnly(properties, [])) return null;
  if (caption === undefined) return readLoneImages([image])?.[0] ?? readParagraph(image, null);
  if (caption.type !== 'element' || caption.tagName !== 'figcaption' || !hasOnly(caption.properties, [])) return null;
  const line = listSolid(unwrapParagraph(caption.children)).length > 0 ? unwrapParagraph(caption.children) : null;
  if (line?.some((child) => child.type === 'element' && !isLine(child))) return null;
  return readImage(image, line) ?? readParagraph(image, line);
}

/** Markdown within a figure is a paragraph. */
function readParagraph(node: ElementContent, caption: ElementContent[] | null): ImageBlock | null {
  if (node.type !== 'element' || node.tagName !== 'p' || !hasOnly(node.properties, [])) return null;
  const [only, ...others] = listSolid(node.children);
  return only === undefined || others.length > 0 ? null : readImage(only, caption);
}

function unwrapParagraph(children: ElementContent[]): ElementContent[] {
  const [only, ...others] = listSolid(children);
  const isParagraph = only?.type === 'element' && only.tagName === 'p' && hasOnly(only.properties, []);
  return isParagraph && others.length === 0 ? only.children : children;
}

function readImage(node: ElementContent, caption: ElementContent[] | null): ImageBlock | null {
  if (node.type !== 'element') return null;
  if (node.tagName === 'img') return buildImage(node, null, caption);
  const [only, ...others] = listSolid(node.children);
  const isLink = node.tagName === 'a' && typeof node.properties.href === 'string' && hasOnly(node.properties, ['href']);
  const isLinked = isLink && others.length === 0 && only?.type === 'element' && only.tagName === 'img';
  return isLinked ? buildImage(only, String(node.properties.href), caption) : null;
}

function buildImage({ properties }: Element, href: string | null, caption: ElementContent[] | null): ImageBlock | null {
  const { src, alt, title, width, height, align } = properties;
  if (!hasOnly(properties, ['src', 'alt', 'title', 'width', 'height', 'align'])) return null;
  const sizes = [readPixels(width), readPixels(height)];
  const side = align ? String(align) : null;
  if (sizes.includes('unknown') || (side !== null && !/^(?:left|center|right)$/.test(side))) return null;
  const attributes: Record<string, string> = {};
  const style: string[] = [];
  for (const [index, name] of (['width', 'height'] as const).entries()) {
    const size = sizes[index];
    if (!size) continue;
    attributes[name] = size;
    style.push(`${name}:${size}`);
  }
  if (href !== null) attributes.linkDestination = 'custom';
  if (side !== null) attributes.align = side;
  const image = build('img', {
    src: src ?? '',
    alt: alt ?? '',
    ...(style.length > 0 ? { style: style.join(';') } : {}),
    ...(title ? { title } : {}),
  });
  const className = [
    'wp-block-image',
    ...(side === null ? [] : [`align${side}`]),
    ...(style.length > 0 ? ['is-resized'] : []),
  ];
  const inner = href === null ? image : build('a', { href }, [image]);
  const below = caption === null ? [] : [build('figcaption', { className: ['wp-element-caption'] }, caption)];
  return { figure: build('figure', { className }, [inner, ...below]), attributes };
}

/** Null where none is given. */
function readPixels(value: Element['properties'][string]): string | null {
  if (value === undefined || value === null) return null;
  const digits = /^(\d{1,5})(?:px)?$/.exec(String(value))?.[1];
  return digits === undefined ? 'unknown' : `${Number(digits)}px`;
}

function listSolid(children: readonly ElementContent[]): ElementContent[] {
  return children.filter((child) => child.type !== 'text' || child.value.trim() !== '');
}

function hasOnly(properties: Element['properties'], names: readonly string[]): boolean {
  return Object.entries(properties).every(([name, value]) => value == null || names.includes(name));
}

function build(tagName: string, properties: Element['properties'], children: ElementContent[] = []): Element {
  return { type: 'element', tagName, properties, children };
}
