/** Replaces embeds with links: articles run no third-party code, but readers can open the page. */
import type { Element, Nodes, Properties } from 'hast';
import { findPage, findScriptPage } from '../embeds/frame-address.ts';
import { parseHttpUrl } from '../identity/canonical.ts';
import { cleanLine } from '../text/clean-text.ts';

const EMBEDS = new Set(['iframe', 'video', 'audio', 'embed', 'object', 'script']);

export function isEmbed(node: Nodes): node is Element {
  return node.type === 'element' && EMBEDS.has(node.tagName);
}

/** The link that replaces an embed; empty if readers could not open or see the embed. */
export function replaceEmbed(node: Element): Element[] {
  const url = findAddress(node);
  if (url === null || isHidden(node.properties)) return [];
  const title = readTitle(node);
  switch (node.tagName) {
    case 'video':
      return [buildLink(url.href, title ?? 'Watch the video')];
    case 'audio':
      return [buildLink(url.href, title ?? 'Listen to the recording')];
    case 'script': {
      const page = findScriptPage(url);
      return page === null ? [] : [buildLink(page.url, title ?? `Open on ${page.place}`)];
    }
    default: {
      const page = findPage(url);
      return [buildLink(page.url, title ?? `Open on ${page.place}`)];
    }
  }
}

function buildLink(href: string, text: string): Element {
  const properties = { href, rel: ['nofollow', 'ugc', 'noopener'] };
  return { type: 'element', tagName: 'a', properties, children: [{ type: 'text', value: text }] };
}

/** The first address that readers can open. Scripts that load frames late use `data-src`. */
function findAddress(node: Element): URL | null {
  const sources = node.children.filter((child) => child.type === 'element' && child.tagName === 'source');
  for (const { properties } of [node, ...sources] as Element[]) {
    for (const address of [properties.src, properties.data, properties.dataSrc]) {
      const url = typeof address === 'string' ? parseHttpUrl(address.trim().replace(/^\/\//, 'https://')) : null;
      if (url !== null) return url;
    }
  }
  return null;
}

/** True for invisible frames. Frames of one pixel count visitors. */
function isHidden({ width, height, hidden, style }: Properties): boolean {
  const isSmall = (size: Properties[string]): boolean => size !== undefined && /^[01](?:px)?$/.test(String(size));
  return hidden === true || (isSmall(width) && isSmall(height)) || /display\s*:\s*none/i.test(String(style ?? ''));
}

function readTitle({ properties: { title, ariaLabel } }: Element): string | null {
  for (const value of [title, ariaLabel]) {
    const text = typeof value === 'string' ? cleanLine(value) : '';
    if (text !== '') return text.slice(0, 300);
  }
  return null;
}
