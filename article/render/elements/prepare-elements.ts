/** Adapts an HTML tree to this site: ids, links, images, embeds. It is sanitised afterwards. */
import GithubSlugger, { slug } from 'github-slugger';
import type { Element, ElementContent, Root as HtmlRoot, Nodes, Properties } from 'hast';
import { decodeEscapes } from '../../text/decode-escapes.ts';
import { walkTree } from '../../walk-tree.ts';
import { isEmbed, replaceEmbed } from '../embed-links.ts';
import { ALERT_CLASS, AUTHOR_ID_PREFIX, PAGE_IDS } from '../sanitise-schema.ts';
import { getElementText } from './element-text.ts';

export interface PrepareOptions {
  siteOrigin: string;
  title: string;
}

/** In these, a link in place of an embed becomes a paragraph, so that two links do not join. */
const BLOCKS = new Set(['div', 'section']);
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

export function prepareElements(tree: HtmlRoot, options: PrepareOptions): void {
  dropRepeatedTitle(tree, options.title);
  const slugger = new GithubSlugger();
  for (const id of PAGE_IDS) slugger.slug(id);
  const headingIds = new Set<string>();
  const authorIds = new Map<string, string>();
  const fragmentLinks: Element[] = [];

  walkTree<Nodes>(tree, (node) => {
    if ('children' in node && node.children.some(isEmbed)) {
      const children: Nodes[] = node.children;
      const isBlock = node.type === 'root' || (node.type === 'element' && BLOCKS.has(node.tagName));
      const replaced = children.flatMap((child): Nodes[] => {
        if (!isEmbed(child)) return [child];
        const link = replaceEmbed(child);
        return isBlock && link.length > 0 ? [{ type: 'element', tagName: 'p', properties: {}, children: link }] : link;
      });
      node.children = replaced as ElementContent[];
    }
    if (node.type !== 'element') return undefined;
    const { properties } = node;
    normaliseSchemes(properties);
    if (isFootnoteLabel(node)) return undefined;
    if (node.tagName === 'blockquote' && !isAlert(node)) delete properties.className;
    if (HEADINGS.has(node.tagName)) {
      headingIds.add(nameHeading(node, slugger, authorIds));
      return undefined;
    }
    if (typeof properties.id === 'string' && !properties.id.startsWith(AUTHOR_ID_PREFIX)) {
      authorIds.set(properties.id, AUTHOR_ID_PREFIX + properties.id);
      properties.id = AUTHOR_ID_PREFIX + properties.id;
    }
    if (node.tagName === 'a') prepareLink(node, options.siteOrigin, authorIds, fragmentLinks);
    else if (node.tagName === 'img') prepareImage(node);
    return undefined;
  });

  for (const link of fragmentLinks) {
    const id = decodeEscapes(String(link.properties.href).slice(1));
    const target = authorIds.get(id);
    if (target !== undefined && !headingIds.has(id)) link.properties.href = `#${target}`;
  }
}

/** Sets the heading's id, and maps the ids that its author wrote or expects to it. */
function nameHeading(heading: Element, slugger: GithubSlugger, authorIds: Map<string, string>): string {
  const text = getElementText(heading).trim();
  const id = slugger.slug(text) || slugger.slug('section');
  const expected = slug(text);
  if (PAGE_IDS.includes(expected) && !authorIds.has(expected)) authorIds.set(expected, id);
  if (typeof heading.properties.id === 'string') authorIds.set(heading.properties.id, id);
  heading.properties.id = id;
  return id;
}

/** Drops a title at the start of the body, because the page shows the title above the text. */
function dropRepeatedTitle(tree: HtmlRoot, title: string): void {
  const index = tree.children.findIndex((node) => node.type !== 'text' || node.value.trim() !== '');
  const first = tree.children[index];
  if (first?.type !== 'element' || first.tagName !== 'h1') return;
  if (fold(getElementText(first)) === fold(title)) tree.children.splice(index, 1);
}

/** True for the heading that the parser adds above footnotes, which refer to its id. */
export function isFootnoteLabel(node: Element): boolean {
  return node.tagName === 'h2' && node.properties.id === 'footnote-label';
}

/** False for any other class, because the sanitiser would leave an empty attribute. */
function isAlert({ properties: { className } }: Element): boolean {
  return Array.isArray(className) && className.every((name) => ALERT_CLASS.test(String(name)));
}

function prepareLink(
  link: Element,
  siteOrigin: string,
  authorIds: Map<string, string>,
  fragmentLinks: Element[],
): void {
  const { properties } = link;
  if (typeof properties.name === 'string' && properties.id === undefined) {
    // `<a name="…">` is the old form of an anchor.
    authorIds.set(properties.name, AUTHOR_ID_PREFIX + properties.name);
    properties.id = AUTHOR_ID_PREFIX + properties.name;
  }
  if (typeof properties.href !== 'string') return;
  if (properties.href.startsWith('#')) fragmentLinks.push(link);
  delete properties.rel;
  if (isOutside(properties.href, siteOrigin)) properties.rel = ['nofollow', 'ugc', 'noopener'];
}

function prepareImage(image: Element): void {
  image.properties.loading = 'lazy';
  image.properties.decoding = 'async';
}

function isOutside(href: string, siteOrigin: string): boolean {
  if (!/^\s*(?:https?:|[\\/]{2})/i.test(href)) return false;
  return !URL.canParse(href, siteOrigin) || new URL(href, siteOrigin).origin !== siteOrigin;
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

const ADDRESSES = ['href', 'src', 'cite'];
/** As in browsers, blanks and control characters around an address are not part of it. */
const AROUND = /^[\0- ]+|[\0- ]+$/g;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/** The sanitiser distinguishes `HTTPS:` from `https:` and decides which schemes are allowed. */
function normaliseSchemes(properties: Properties): void {
  for (const name of ADDRESSES) {
    const address = properties[name];
    if (typeof address !== 'string') continue;
    properties[name] = address.replace(AROUND, '').replace(SCHEME, (scheme) => scheme.toLowerCase());
  }
}
