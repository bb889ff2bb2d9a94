/** Writes HTML so that WordPress leaves its text unchanged. */
import type { Element, RootContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import { breakShortcodes, escapeBrackets, escapeText } from './escape-text.ts';

export function writeHtml(nodes: readonly RootContent[]): string {
  const children = nodes.map(escapeNode);
  const options = { allowDangerousHtml: true, characterReferences: { useNamedReferences: true } };
  return escapeBrackets(toHtml({ type: 'root', children }, options));
}

/** True for an element that may be part of a line of text, with everything in it. */
export function isInline(node: Element): boolean {
  return INLINE.has(node.tagName) && node.children.every((child) => child.type !== 'element' || isInline(child));
}

/** Escapes text here, because `toHtml` does not handle WordPress's changes to it. */
function escapeNode<N extends RootContent>(node: N): N {
  if (node.type === 'text') return { type: 'raw', value: escapeText(node.value) } as unknown as N;
  if (node.type !== 'element') return node;
  const properties = Object.fromEntries(
    Object.entries(node.properties).map(([name, value]) => [
      name,
      typeof value === 'string' ? breakShortcodes(name, value) : value,
    ]),
  );
  return { ...node, properties, children: node.children.map(escapeNode) };
}

const INLINE = new Set([
  ...['a', 'abbr', 'b', 'bdi', 'bdo', 'br', 'cite', 'code', 'del', 'dfn', 'em', 'i', 'img', 'ins', 'kbd', 'mark', 'q'],
  ...['rp', 'rt', 'ruby', 's', 'samp', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'time', 'tt', 'u', 'var'],
  'wbr',
]);
