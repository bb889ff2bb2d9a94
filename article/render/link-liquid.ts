/** Replaces Liquid tags that embed something (`{% youtube … %}`) with links. Others stay. */
import type { Element, ElementContent, Nodes, Root, Text } from 'hast';
import { findEmbed } from '../embeds/embed-by-name.ts';
import { walkTree } from '../walk-tree.ts';

/** A complete tag within one text: `{% youtube dQw4w9WgXcQ %}`. */
const TAG = /\{%([^%{}]{1,500})%\}/g;
/** The halves of a tag around an address that the parser made a link: `{% embed `, link, ` %}`. */
const TAG_START = /\{%-?\s{0,5}[a-z_]{1,40}\s{1,5}$/i;
const TAG_END = /^[^%{}]{0,200}%\}/;

/**
 * Changes the tree, which must be sanitised afterwards. Calls `onLink` for each link with the text
 * of its former tag and the children now around it.
 */
export function linkLiquidEmbeds(tree: Root, onLink?: (text: Text, around: readonly ElementContent[]) => void): void {
  walkTree<Nodes>(tree, (node) => {
    // A link cannot contain links.
    if (node.type === 'element' && ['code', 'pre', 'a'].includes(node.tagName)) return 'skip';
    if (!('children' in node)) return undefined;
    if (!node.children.some((child) => child.type === 'text' && child.value.includes('{%'))) return undefined;
    const found: Text[] = [];
    const joined = joinHalves(node.children as ElementContent[], found);
    const linked = joined.flatMap((child) => (child.type === 'text' ? replaceTags(child, found) : [child]));
    if (found.length === 0) return undefined;
    node.children = linked;
    for (const text of found) onLink?.(text, linked);
    return undefined;
  });
}

function joinHalves(children: readonly ElementContent[], found: Text[]): ElementContent[] {
  const nodes = [...children];
  for (const [index, link] of nodes.entries()) {
    const before = nodes[index - 1];
    const after = nodes[index + 1];
    if (link.type !== 'element' || link.tagName !== 'a' || before?.type !== 'text' || after?.type !== 'text') continue;
    const opening = before.value.lastIndexOf('{%');
    if (opening === -1 || !TAG_START.test(before.value.slice(opening)) || !TAG_END.test(after.value)) continue;
    found.push(before);
    nodes[index - 1] = { ...before, value: before.value.slice(0, opening) };
    nodes[index + 1] = { ...after, value: after.value.replace(TAG_END, '') };
  }
  return nodes;
}

function replaceTags(node: Text, found: Text[]): ElementContent[] {
  const parts: ElementContent[] = [];
  let from = 0;
  for (const { 0: tag, 1: inner = '', index } of node.value.matchAll(TAG)) {
    const replacement = buildLink(inner);
    if (replacement === null) continue;
    found.push(node);
    parts.push({ type: 'text', value: node.value.slice(from, index) }, replacement);
    from = index + tag.length;
  }
  return from === 0 ? [node] : [...parts, { type: 'text', value: node.value.slice(from) }];
}

function buildLink(inner: string): Element | null {
  const [tag = '', id = ''] = inner.replace(/^-|-$/g, '').trim().split(/\s+/);
  const href = findEmbed(tag, [id])?.url;
  if (href === undefined) return null;
  const properties = { href, rel: ['nofollow', 'ugc', 'noopener'] };
  return { type: 'element', tagName: 'a', properties, children: [{ type: 'text', value: href }] };
}
