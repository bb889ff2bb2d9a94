/** Writes images as core's image block, exactly as its editor does. */
import type { Element, ElementContent } from 'hast';
import { buildElement, type Figure, isBare, listSolid, readFigure, readImage } from '../../format/figure.ts';

export interface ImageBlock {
  figure: Element;
  attributes: Record<string, string>;
}

/** The blocks of a paragraph of images only. Null for any other, or without a core block. */
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
  const { src, alt, title, align } = image.properties;
  const sizes: Record<string, string> = {};
  for (const name of ['width', 'height']) {
    const size = readPixels(image.properties[name]);
    if (size === undefined) return null;
    if (size !== null) sizes[name] = size;
  }
  const side = align ? String(align) : null;
  if (side !== null && !/^(?:left|center|right)$/.test(side)) return null;
  const style = Object.entries(sizes).map(([name, size]) => `${name}:${size}`);
  const shown = buildElement('img', {
    ...{ src: src ?? '', alt: alt ?? '' },
    ...(style.length > 0 ? { style: style.join(';') } : {}),
    ...(title ? { title } : {}),
  });
  const classes = ['wp-block-image', side === null ? '' : `align${side}`, style.length > 0 ? 'is-resized' : ''];
  const inner = href === null ? shown : buildElement('a', { href }, [shown]);
  const below = caption === null ? [] : [buildElement('figcaption', { className: ['wp-element-caption'] }, caption)];
  const figure = buildElement('figure', { className: classes.filter((name) => name !== '') }, [inner, ...below]);
  const linked = href === null ? {} : { linkDestination: 'custom' };
  return { figure, attributes: { ...sizes, ...linked, ...(side === null ? {} : { align: side }) } };
}

/** Null if there is no value, undefined if it is no number of pixels. */
function readPixels(value: Element['properties'][string]): string | null | undefined {
  if (value === undefined || value === null) return null;
  const digits = /^(\d{1,5})(?:px)?$/.exec(String(value))?.[1];
  return digits && `${Number(digits)}px`;
}
