/**
 * Makes addresses of links and images absolute. Removes scripts and files of the author's machine.
 */
import type { Element, Nodes, Properties } from 'hast';
import { visit } from 'unist-util-visit';

const LINKED = /^(?:https?|mailto|tel|xmpp|ircs?|ftp):$/;
const SHOWN = /^https?:$/;

/** `base` is null if the base of relative addresses is unknown. */
export function prepareAddresses(tree: Nodes, base: string | null): void {
  visit(tree, 'element', (node) => {
    const { properties, tagName } = node;
    if (tagName === 'a') prepareLink(node, base);
    if (tagName === 'img') prepareImage(node, base);
    if (/^(?:iframe|video|audio|source|embed)$/.test(tagName)) {
      replaceAddress(properties, 'src', (text) => resolve(text, base, SHOWN));
    }
  });
}

/** A link without an address becomes text. */
function prepareLink(node: Element, base: string | null): void {
  replaceAddress(node.properties, 'href', (text) => resolve(text, base, LINKED));
  if (node.properties.href === undefined) node.tagName = 'span';
}

/** Pages with lazy loading have the address in another attribute, beside a placeholder in `src`. */
function prepareImage({ properties }: Element, base: string | null): void {
  const { dataSrc, dataOriginal, dataLazySrc } = properties;
  const lazySource = [dataSrc, dataOriginal, dataLazySrc].find(
    (value): value is string => typeof value === 'string' && value !== '',
  );
  const isBlank = typeof properties.src !== 'string' || /^data:/i.test(properties.src);
  if (isBlank && lazySource !== undefined) properties.src = lazySource;
  replaceAddress(properties, 'src', (text) => resolve(text, base, SHOWN));
}

function replaceAddress(properties: Properties, name: string, read: (text: string) => string | null): void {
  const value = properties[name];
  if (typeof value !== 'string') return;
  const address = read(value.trim());
  if (address === null) delete properties[name];
  else properties[name] = address;
}

function resolve(text: string, base: string | null, protocols: RegExp): string | null {
  if (text.startsWith('#')) return text;
  const url = URL.parse(text, base ?? undefined);
  // Without a base a relative address stays. Reading the document warns of it.
  if (url === null) return /^[a-z][a-z\d+.-]*:/i.test(text) ? null : text;
  return protocols.test(url.protocol) && url.username === '' && url.password === '' ? url.href : null;
}
