/** Turns embeds into links: an article runs no code of others, but still says where the video is. */
import type { Element, Nodes } from 'hast';
import { parseHttpUrl } from '../identity/canonical.ts';

/** Hosts whose frames authors embed, with the names that readers know them by. */
const EMBED_HOSTS = new Map([
  ['www.youtube.com', 'YouTube'],
  ['youtube.com', 'YouTube'],
  ['www.youtube-nocookie.com', 'YouTube'],
  ['player.vimeo.com', 'Vimeo'],
  ['codepen.io', 'CodePen'],
  ['codesandbox.io', 'CodeSandbox'],
  ['stackblitz.com', 'StackBlitz'],
  ['jsfiddle.net', 'JSFiddle'],
  ['replit.com', 'Replit'],
  ['asciinema.org', 'asciinema'],
  ['www.loom.com', 'Loom'],
  ['open.spotify.com', 'Spotify'],
  ['speakerdeck.com', 'Speaker Deck'],
  ['www.slideshare.net', 'SlideShare'],
]);

export function isEmbed(node: Nodes): node is Element {
  return node.type === 'element' && ['iframe', 'video', 'audio'].includes(node.tagName);
}

/** A link in place of an embed, or nothing if readers cannot open its address. */
export function replaceEmbed(node: Element): Element[] {
  if (node.tagName === 'iframe') {
    const url = parseHttpUrl(readAddress(node));
    const host = url === null ? undefined : EMBED_HOSTS.get(url.hostname);
    if (url === null || host === undefined) return [];
    return [buildLink(findWatchAddress(url), readTitle(node) ?? `Open on ${host}`)];
  }
  const source = node.children.find((child) => child.type === 'element' && child.tagName === 'source');
  const url = parseHttpUrl(readAddress(node) || (source?.type === 'element' ? readAddress(source) : ''));
  if (url === null) return [];
  return [
    buildLink(url.href, readTitle(node) ?? (node.tagName === 'video' ? 'Watch the video' : 'Listen to the recording')),
  ];
}

function buildLink(href: string, text: string): Element {
  const properties = { href, rel: ['nofollow', 'ugc', 'noopener'] };
  return { type: 'element', tagName: 'a', properties, children: [{ type: 'text', value: text }] };
}

/** The page of a video instead of its frame, which shows nothing but the video. */
function findWatchAddress(url: URL): string {
  const video = /^\/embed\/([\w-]{6,20})$/.exec(url.pathname)?.[1];
  return video !== undefined && /youtube/.test(url.hostname) ? `https://www.youtube.com/watch?v=${video}` : url.href;
}

function readAddress(node: Element): string {
  const { src } = node.properties;
  const address = typeof src === 'string' ? src.trim() : '';
  return address.startsWith('//') ? `https:${address}` : address;
}

function readTitle(node: Element): string | null {
  const { title } = node.properties;
  return typeof title === 'string' && title.trim() !== '' ? title.trim() : null;
}
