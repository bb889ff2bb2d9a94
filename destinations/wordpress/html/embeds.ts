/** Addresses that stand alone: WordPress shows what is there, if it is a place that every site knows. */
import type { ElementContent } from 'hast';
import { escapeAttribute } from './escape-text.ts';

/**
 * Those that core has asked for embeds since long ago. Of any other address a site would show the bare text, which readers
 * cannot open, so it stays a link.
 */
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

/** The address of a paragraph that holds nothing else and that the site can embed; else null. */
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

/** As the editor writes it. The address stands on a line of its own, where the site looks for it. */
export function buildEmbed(address: string): { html: string; attributes: { url: string } } {
  const html = `<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\n${escapeAttribute(address)}\n</div></figure>`;
  return { html, attributes: { url: address } };
}
