/** Finds addresses alone in a paragraph. WordPress embeds those of known providers. */
import type { ElementContent } from 'hast';
import { escapeAttribute } from './escape-text.ts';

/** Long supported by core. Sites show any other address as bare text, so it stays a link. */
const PROVIDERS: readonly RegExp[] = [
  /^(?:(?:m|www)\.)?youtube\.com\/(?:watch|playlist)\?/,
  /^youtu\.be\/./,
  /^(?:[\w-]+\.)*vimeo\.com\/./,
  /^(?:www\.)?dailymotion\.com\/./,
  /^dai\.ly\/./,
  /^(?:www\.)?flickr\.com\/./,
  /^flic\.kr\/./,
  /^(?:[\w-]+\.)*soundcloud\.com\/./,
  /^open\.spotify\.com\/./,
  /^(?:www\.)?speakerdeck\.com\/./,
  /^(?:www\.|embed\.)?ted\.com\/talks\/./,
  /^(?:www\.)?mixcloud\.com\/./,
  /^(?:www\.)?tiktok\.com\/@[^/]+\/video\/./,
  /^(?:www\.)?reddit\.com\/r\/[^/]+\/comments\/./,
  /^(?:www\.)?twitter\.com\/\w{1,15}\/status(?:es)?\/./,
  /^wordpress\.tv\/./,
];

/** The address of a paragraph with nothing else in it, if the site can embed it. Else null. */
export function findLoneEmbed(children: readonly ElementContent[]): string | null {
  const [only, ...others] = children.filter((child) => child.type !== 'text' || child.value.trim() !== '');
  if (only?.type !== 'element' || only.tagName !== 'a' || others.length > 0 || only.properties.title) return null;
  const [text, ...more] = only.children;
  const { href } = only.properties;
  const isBare = text?.type === 'text' && more.length === 0 && text.value === href;
  return isBare && canEmbed(text.value) ? text.value : null;
}

function canEmbed(address: string): boolean {
  const rest = /^https?:\/\/([^\s<>"'[\]]{1,2000})$/i.exec(address)?.[1];
  return rest !== undefined && PROVIDERS.some((provider) => provider.test(rest));
}

/** In the editor's format. The address is on a line of its own, where the site searches for it. */
export function buildEmbed(address: string): { html: string; attributes: { url: string } } {
  const html = `<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\n${escapeAttribute(address)}\n</div></figure>`;
  return { html, attributes: { url: address } };
}
