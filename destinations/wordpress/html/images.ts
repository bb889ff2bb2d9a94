/**
 * Writes images as core's image block, exactly as its editor does: with a caption, a link, a size,
 * a side.
 */
import type { Element, ElementContent } from 'hast';
import { type Figure, isBare, listSolid, readFigure, readImage } from '../../format/figure.ts';

export interface ImageBlock {
  figure: Element;
  attributes: Record<string, string>;
}

/**
 * The blocks of a paragraph that contains only images. Null for any other, and for images without a
 * core block.
 */
export function buildLoneImages(children: readonly ElementContent[]): ImageBlock[] | null {
  const images = listSolid(children).filter((child) => child.type !== 'element' || child.tagName !== 'br');
  const blocks = images.map((child) => buildImage(readImage(child)));
  return blocks.length > 0 && blocks.every((block) => block !== null) ? blocks : null;
}

/** Null unless the figure is one image, with or without one line of text as its caption. */
export function buildFigure(node: Element, isLine: (node: Element) => boolean): ImageBlock | null {
  const figure = readFigure(node);
  return figure?.caption?.some((child) => child.type === 'element' && !isLine(child)) ? null : buildImage(figure);
}

function buildImage(parts: Figure | null): ImageBlock | null {
  if (parts === null || !isBare(parts.image, ['src', 'alt', 'title', 'width', 'height', 'align'])) return null;
  const { image, href, caption } = parts;
  const { src, alt, title, width, height, align } = image.properties;
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
  const shown = build('img', {
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
  const inner = href === null ? shown : build('a', { href }, [shown]);
  const below = caption === null ? [] : [build('figcaption', { className: ['wp-element-caption'] }, caption)];
  return { figure: build('figure', { className }, [inner, ...below]), attributes };
}

/** Null if there is no value. */
function readPixels(value: Element['properties'][string]): string | null {
  if (value === undefined || value === null) return null;
  const digits = /^(\d{1,5})(?:px)?$/.exec(String(value))?.[1];
  return digits === undefined ? 'unknown' : `${Number(digits)}px`;
}

function build(tagName: string, properties: Element['properties'], children: ElementContent[] = []): Element {
  return { type: 'element', tagName, properties, children };
}
