/** Embeds become links: an article runs nobody's code, and says where the film is all the same. */
import type { Element, Nodes } from 'hast';
import { parseHttpUrl } from '../identity/canonical.ts';

/** Hosts whose frames authors embed, and what a reader calls them. */
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

/** What stands in the place of an embed: a link, or nothing where its address is none that a reader can open. */
export function linkInsteadOfEmbed(node: Element): Element[] {
  if (node.tagName === 'iframe') {
    const url = parseHttpUrl(addressOf(node));
    const host = url === null ? undefined : EMBED_HOSTS.get(url.hostname);
    if (url === null || host === undefined) return [];
    return [linkTo(watchAddress(url), titleOf(node) ?? `Open on ${host}`)];
  }
  const source = node.children.find((child) => child.type === 'element' && child.tagName === 'source');
  const url = parseHttpUrl(addressOf(node) || (source?.type === 'element' ? addressOf(source) : ''));
  if (url === null) return [];
  return [
    linkTo(url.href, titleOf(node) ?? (node.tagName === 'video' ? 'Watch the video' : 'Listen to the recording')),
  ];
}

function linkTo(href: string, text: string): Element {
  const properties = { href, rel: ['nofollow', 'ugc', 'noopener'] };
  return { type: 'element', tagName: 'a', properties, children: [{ type: 'text', value: text }] };
}

/** The page of a film, not its frame, which shows nothing but the film. */
function watchAddress(url: URL): string {
  const film = /^\/embed\/([\w-]{6,20})$/.exec(url.pathname)?.[1];
  return film !== undefined && /youtube/.test(url.hostname) ? `https://www.youtube.com/watch?v=${film}` : url.href;
}

function addressOf(node: Element): string {
  const { src } = node.properties;
  const address = typeof src === 'string' ? src.trim() : '';
  return address.startsWith('//') ? `https:${address}` : address;
}

function titleOf(node: Element): string | null {
  const { title } = node.properties;
  return typeof title === 'string' && title.trim() !== '' ? title.trim() : null;
}
