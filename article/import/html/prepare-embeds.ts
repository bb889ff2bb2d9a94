/** Replaces embeds with links and removes tracking pixels. */
import type { Element, ElementContent, Nodes } from 'hast';
import { SKIP, visit } from 'unist-util-visit';
import { isEmbed, replaceEmbed } from '../../render/embed-links.ts';

const COUNTERS =
  /^https?:\/\/(?:medium\.com\/_\/stat|[^/]*feedburner\.com\/~|feeds\.wordpress\.com\/|pixel\.wp\.com\/|stats\.wordpress\.com\/)/i;

export function prepareEmbeds(tree: Nodes): void {
  visit(tree, 'element', (node, index, parent) => {
    if (parent === undefined || index === undefined) return undefined;
    const replacement = isEmbed(node) ? wrap(replaceEmbed(node), parent.type) : isCounter(node) ? [] : null;
    if (replacement === null) return undefined;
    parent.children.splice(index, 1, ...(replacement as ElementContent[]));
    return [SKIP, index + replacement.length];
  });
}

/** A link at the top level needs a paragraph. */
function wrap(links: Element[], parent: string): Element[] {
  if (parent !== 'root') return links;
  return links.map((link) => ({ type: 'element', tagName: 'p', properties: {}, children: [link] }));
}

/** True for an image of one pixel and for known counters. */
function isCounter({ tagName, properties: { src, width, height } }: Element): boolean {
  if (tagName !== 'img') return false;
  const isPixel = [width, height].every((size) => size !== undefined && /^[01](?:px)?$/.test(String(size)));
  return isPixel || COUNTERS.test(String(src ?? ''));
}
