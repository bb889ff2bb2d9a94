/** Replaces Liquid tags that embed something with links. Other tags stay text. */
import type { Element, ElementContent, Text } from 'hast';

/** A complete tag within one text: `{% youtube dQw4w9WgXcQ %}`. */
const TAG = /\{%([^%{}]{1,500})%\}/g;
/**
 * The two halves of a tag around an address that the parser made a link: `{% embed `, link, ` %}`.
 */
const TAG_START = /\{%-?\s{0,5}[a-z_]{1,40}\s{1,5}$/i;
const TAG_END = /^[^%{}]{0,200}%\}/;

/** Addresses for tags with an id. */
const ADDRESSES: [tags: RegExp, id: RegExp, address: (id: string) => string][] = [
  [/^youtube$/, /^[\w-]{6,20}$/, (id) => `https://www.youtube.com/watch?v=${id}`],
  [/^vimeo$/, /^\d{5,15}$/, (id) => `https://vimeo.com/${id}`],
  [/^(?:twitter|tweet|x)$/, /^\d{5,25}$/, (id) => `https://x.com/i/status/${id}`],
  [/^github$/, /^[\w.-]{1,60}\/[\w.-]{1,100}$/, (id) => `https://github.com/${id}`],
  [/^codesandbox$/, /^[\w-]{3,60}$/, (id) => `https://codesandbox.io/s/${id}`],
  [/^stackblitz$/, /^[\w-]{3,100}$/, (id) => `https://stackblitz.com/edit/${id}`],
];

/** Replaces the tags and calls `onLink` for each. Returns the same array if there is no tag. */
export function linkLiquidTags(children: ElementContent[], onLink: (node: Text) => void): ElementContent[] {
  if (!children.some((node) => node.type === 'text' && node.value.includes('{%'))) return children;
  return joinHalves(children, onLink).flatMap((node) => (node.type === 'text' ? replaceTags(node, onLink) : [node]));
}

function joinHalves(children: ElementContent[], onLink: (node: Text) => void): ElementContent[] {
  const nodes = [...children];
  for (const [index, link] of nodes.entries()) {
    const before = nodes[index - 1];
    const after = nodes[index + 1];
    if (link.type !== 'element' || link.tagName !== 'a' || before?.type !== 'text' || after?.type !== 'text') continue;
    const opening = before.value.lastIndexOf('{%');
    if (opening === -1 || !TAG_START.test(before.value.slice(opening)) || !TAG_END.test(after.value)) continue;
    onLink(before);
    nodes[index - 1] = { ...before, value: before.value.slice(0, opening) };
    nodes[index + 1] = { ...after, value: after.value.replace(TAG_END, '') };
  }
  return nodes;
}

function replaceTags(node: Text, onLink: (node: Text) => void): ElementContent[] {
  const parts: ElementContent[] = [];
  let from = 0;
  for (const { 0: tag, 1: inner = '', index } of node.value.matchAll(TAG)) {
    const replacement = buildLink(inner);
    if (replacement === null) continue;
    onLink(node);
    parts.push({ type: 'text', value: node.value.slice(from, index) }, replacement);
    from = index + tag.length;
  }
  return from === 0 ? [node] : [...parts, { type: 'text', value: node.value.slice(from) }];
}

function buildLink(inner: string): Element | null {
  const [tag = '', id = ''] = inner.replace(/^-|-$/g, '').trim().split(/\s+/);
  const known = ADDRESSES.find(([tags, ids]) => tags.test(tag.toLowerCase()) && ids.test(id));
  if (!known) return null;
  const href = known[2](id);
  return { type: 'element', tagName: 'a', properties: { href }, children: [{ type: 'text', value: href }] };
}
